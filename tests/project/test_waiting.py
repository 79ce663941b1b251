"""No test waits for a time, or starts what could outlive it."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ROOT / "tests", ROOT / "benchmarks"
LIMITED = {"join", "settimeout", "timeout", "wait", "wait_for"}
"""Functions whose number is a limit: `tests.waiting.DEADLINE` is the one that there is."""
ITS_OWN = {"self.wait", "world.wait"}
"""The pauses of a fault, of which nothing is expected in time."""
MANAGED = {
    "subprocess.Popen": "processes.start",
    "subprocess.run": "processes.run",
    "time.sleep": "waiting.until",
}
"""What only the modules for it may call, and what tests call instead."""
AT_HOME = {"tests/processes.py", "tests/waiting.py", "tests/watchdog.py"}
EXCEPT = {
    ("tests/store/test_migrating.py", "time.sleep"),  # is what has to be slow
}


def faults(path: Path) -> Iterator[str]:
    """Yield what a file does that it should not."""
    place = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if name in MANAGED and place not in AT_HOME and (place, name) not in EXCEPT:
            yield f"{place}:{node.lineno}: {name}; use {MANAGED[name]}"
        limits = [word.value for word in node.keywords if word.arg in {"timeout", "patience"}]
        if name.rpartition(".")[2] in LIMITED and name not in ITS_OWN:
            limits += node.args[-1:]
        for limit in limits:
            number = limit.value if isinstance(limit, ast.Constant) else None
            if isinstance(number, int | float) and number:
                yield f"{place}:{node.lineno}: {name} with {number}; use waiting.DEADLINE"


def test_tests_wait_for_conditions_and_leave_nothing_behind() -> None:
    files = [path for folder in FOLDERS for path in folder.rglob("*.py")]
    assert len(files) > 100
    assert [fault for path in files for fault in faults(path)] == []
