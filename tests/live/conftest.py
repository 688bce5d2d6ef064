from __future__ import annotations

import os
import subprocess
from collections.abc import Generator
from pathlib import Path

import certifi
import pytest

END = "-----END CERTIFICATE-----\n"


@pytest.fixture(autouse=True, scope="session")
def one_certificate(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    """Only plain HTTP is spoken here, and reading all certificates for each client takes longer."""
    bundle = Path(certifi.where()).read_text("utf-8")
    one = tmp_path_factory.mktemp("certificates") / "one.pem"
    one.write_text(bundle[: bundle.index(END) + len(END)], "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(one))
        yield


@pytest.fixture(scope="session")
def aimock() -> Generator[str]:
    """The address of a running aimock; without Node or its registry: skipped, in CI an error."""
    from tests.live import aimocks

    try:
        program = aimocks.installed()
    except (OSError, subprocess.SubprocessError) as error:
        if os.environ.get("CI", "").lower() in {"1", "true"}:
            raise
        # Node is needed by these tests alone, and not by those who work on the library.
        pytest.skip(f"aimock cannot be installed here: {error}")
    with aimocks.running(program) as address:
        yield address


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback is reached directly, whatever the machine is set to."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
