"""Measuring in a process of its own, which begins with nothing imported and nothing compiled."""

import json
import os
import subprocess
import sys

import click

MAX_SECONDS = 900


def measured(part, *words, **environment):
    """Run ``python -m benchmarks.PART`` with words; returns what it prints as JSON.

    It is not waited for without a bound; raises click's error when it does not end well. Bytecode
    is written, as for every user, even where the environment says otherwise.
    """
    words = [str(word) for word in words]
    title = " ".join([part, *words])
    try:
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{part}", *words],
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},
            capture_output=True,
            text=True,
            timeout=MAX_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise click.ClickException(f"{title}: not done after {MAX_SECONDS} seconds") from None
    if done.returncode:
        raise click.ClickException(f"{title}: status {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)
