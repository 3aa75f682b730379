"""Measurements in a process of their own, which begins with nothing imported or compiled."""

import json
import os
import subprocess
import sys

import click

MAX_SECONDS = 900


def measure_in_child(part, *words, **environment):
    """Run ``python -m benchmarks.PART`` with words; return its output, parsed from JSON.

    The wait has a limit; raises click's error when the process fails. Bytecode is written, as for
    every user, even where the environment forbids it.
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
