"""What all tests share: no test writes to the folders of whoever runs them."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory):
    """Let interrupted runs be kept in a folder of the tests'."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("data")
        patch.setenv("TILELAB_DATA_DIR", str(folder))
        yield folder
