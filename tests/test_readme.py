"""The Python of the README runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_grading_from_python(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(code.strip().splitlines()) <= 10
    (tmp_path / "submissions" / "ada").mkdir(parents=True)
    source = "def output_size(size, kernel_size, *, stride=1, padding=0, dilation=1):\n    return 0\n"
    (tmp_path / "submissions" / "ada" / "convolution.py").write_text(source, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    first, *rest = done.stdout.splitlines()
    assert first.strip() == "0 of 100"
    assert any(line.startswith("output_size values") for line in rest)
    assert "conv2d_unfold gradients convolution_torch.py was not handed in." in rest
