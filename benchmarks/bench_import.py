"""What `import yachtdice` costs whoever only wants the rules."""

import subprocess
import sys

from pytest_benchmark.fixture import BenchmarkFixture


def test_import(benchmark: BenchmarkFixture) -> None:
    benchmark(subprocess.run, [sys.executable, "-c", "import yachtdice"], check=True)
