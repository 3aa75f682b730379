"""What all tests share: no test writes to the folders of whoever runs them."""

import hypothesis
import pytest

# How long an example takes says more of the machine than of the code.
hypothesis.settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def own_data_folder(tmp_path_factory):
    """Let interrupted runs be kept in a folder of the tests'."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("data")
        patch.setenv("TILELAB_DATA_DIR", str(folder))
        yield folder
