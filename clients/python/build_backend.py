"""Builds the package with the standard library alone (PEP 517 and 660). The same sources give the same bytes."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

_root = Path(__file__).resolve().parent
_source = _root / "src"
_version = re.findall(r'"([0-9][^"]*)"', (_source / "fairway" / "_version.py").read_text("utf-8"))[0]
_name = f"fairway-{_version}"
_info = f"{_name}.dist-info"
_tag = "py3-none-any"
# The earliest time that a zip file can hold.
_time = (1980, 1, 1, 0, 0, 0)

_metadata = f"""Metadata-Version: 2.1
Name: fairway
Version: {_version}
Summary: The Python client of Fairway, payment corridor verification
License: MIT
Requires-Python: >=3.10
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{(_root / "README.md").read_text("utf-8")}"""

_wheel = f"""Wheel-Version: 1.0
Generator: fairway
Root-Is-Purelib: true
Tag: {_tag}
"""


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    package = {path.relative_to(_source).as_posix(): path.read_bytes() for path in _files(_source / "fairway")}
    return _write_wheel(Path(wheel_directory), package)


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    return _write_wheel(Path(wheel_directory), {"fairway.pth": f"{_source}\n".encode()})


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    others = ("LICENSE", "README.md", "build_backend.py", "pyproject.toml")
    files = {path.relative_to(_root).as_posix(): path.read_bytes() for path in _files(_source / "fairway")}
    files.update({name: (_root / name).read_bytes() for name in others})
    files["PKG-INFO"] = _metadata.encode()
    archive = io.BytesIO()
    with tarfile.open(mode="w", fileobj=archive) as tar:
        for path, content in sorted(files.items()):
            member = tarfile.TarInfo(f"{_name}/{path}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    name = f"{_name}.tar.gz"
    (Path(sdist_directory) / name).write_bytes(gzip.compress(archive.getvalue(), mtime=0))
    return name


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".typed"))


def _write_wheel(folder: Path, content: dict[str, bytes]) -> str:
    files = {
        **content,
        f"{_info}/METADATA": _metadata.encode(),
        f"{_info}/WHEEL": _wheel.encode(),
        f"{_info}/LICENSE": (_root / "LICENSE").read_bytes(),
    }
    record = [f"{path},{_digest(one)},{len(one)}" for path, one in files.items()] + [f"{_info}/RECORD,,", ""]
    files[f"{_info}/RECORD"] = "\n".join(record).encode()
    name = f"{_name}-{_tag}.whl"
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, one in files.items():
            entry = zipfile.ZipInfo(path, _time)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, one)
    return name


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
