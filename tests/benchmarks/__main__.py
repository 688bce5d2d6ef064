"""What interlingua costs beside the vendors' own SDKs: a table, and the figures as JSON.

python -m tests.benchmarks [FILE.json [TABLE.md]]       takes two minutes
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

Json = dict[str, Any]

PROVIDERS = {
    "openai": "openai",
    "openai-chat": "openai",
    "anthropic": "anthropic",
    "google": "google-genai",
}
MEASURES = {
    "call/1": "a call, 1 message",
    "call/50": "a call, 50 messages",
    "call/200": "a call, 200 messages",
    "first/200": "the first call with 200 messages",
    "growth": "each further message",
    "stream": "a stream of 500 pieces",
}

IMPORTS = {
    "openai": (
        "import openai; openai.OpenAI(api_key='key')",
        "import interlingua; interlingua.Client('openai:m', api_key='key')",
    ),
    "anthropic": (
        "import anthropic; anthropic.Anthropic(api_key='key')",
        "import interlingua; interlingua.Client('anthropic:m', api_key='key')",
    ),
    "google": (
        "from google import genai; genai.Client(api_key='key')",
        "import interlingua; interlingua.Client('google:m', api_key='key')",
    ),
    "messages alone": ("pass", "import interlingua"),
}
TIMES = 3

SPENT = "; import resource as r; u = r.getrusage(r.RUSAGE_SELF); print(u.ru_utime + u.ru_stime)"

MEMORY = """
import json, sys, tracemalloc
from interlingua import Message
from tests.benchmarks.calls import talk
texts = [message.to_json() for message in talk(2000)]
tracemalloc.start()
{kept} = [{make}(text) for text in texts]
print(tracemalloc.get_traced_memory()[0] / len(texts))
"""


@contextmanager
def vendors() -> Generator[str]:
    """The vendors' address while the block lasts."""
    command = [sys.executable, "-m", "tests.benchmarks.vendor"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


def run(*arguments: str) -> str:
    """What a fresh Python prints."""
    held = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**held, "PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def calls() -> Json:
    """Microseconds of CPU per call and per stream, by provider."""
    found: Json = {}
    with vendors() as url:
        for name in PROVIDERS:
            print(f"calling {name} …", file=sys.stderr, flush=True)
            found[name] = json.loads(run("-m", "tests.benchmarks.calls", url, name))
    for measured in found.values():
        growth = (
            # What is less than the noise is nothing.
            max(0.0, (measured["call/200"][side] - measured["call/1"][side]) / 199)
            for side in ("raw", "ours")
        )
        measured["growth"] = rounded(*growth)
    return found


def imports() -> Json:
    """Milliseconds of CPU until a client is ready, less an empty Python's."""
    print("importing …", file=sys.stderr, flush=True)
    run("-c", "; ".join(ours for _, ours in IMPORTS.values()))
    empty = statistics.median(spent("pass") for _ in range(TIMES))
    found: Json = {}
    for name, (raw, ours) in IMPORTS.items():
        pairs = [(spent(raw) - empty, spent(ours) - empty) for _ in range(TIMES)]
        theirs, mine = (statistics.median(side) * 1000 for side in zip(*pairs, strict=True))
        found[name] = {"ours": round(mine, 1)} if raw == "pass" else rounded(theirs, mine)
    return found


def spent(program: str) -> float:
    """Seconds of CPU that a fresh Python takes for a program."""
    return float(run("-c", program + SPENT))


def memory() -> Json:
    """Bytes for a message of a conversation, beside the plain dictionaries of its JSON."""
    print("weighing …", file=sys.stderr, flush=True)
    plain, ours = (
        float(run("-c", MEMORY.format(kept="kept", make=make)))
        for make in ("json.loads", "Message.from_json")
    )
    return rounded(plain, ours)


def rounded(raw: float, ours: float) -> Json:
    return {"raw": round(raw, 1), "ours": round(ours, 1), "ratio": round(ours / raw, 3)}


def machine() -> Json:
    """What it ran on."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8").splitlines() if told.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {
            name: version(name)
            for name in ("interlingua", "msgspec", *dict.fromkeys(PROVIDERS.values()))
        },
    }


def table(found: Json) -> str:
    """The figures for people."""
    held = found["machine"]
    packages = ", ".join(f"{name} {number}" for name, number in held["packages"].items())
    lines = [
        f"{held['processor']}, {held['cores']} cores at a load of {held['load']}, {held['system']}, "
        f"Python {held['python']}; {packages}.",
        "",
        *grid("CPU, in µs", PROVIDERS, MEASURES.items(), found["calls"]),
        *grid(
            "CPU until a client is ready, in ms",
            ["import"],
            [(name, name) for name in IMPORTS],
            {"import": found["imports"]},
        ),
        *grid(
            "memory, in bytes",
            ["message"],
            [("message", "a message")],
            {"message": {"message": found["memory"]}},
        ),
    ]
    return "\n".join(lines)


def grid(
    title: str, columns: Iterable[str], rows: Iterable[tuple[str, str]], found: Json
) -> list[str]:
    """A table with a column for each name in `found`, under `title`."""
    names = list(columns)
    lines = [f"| {title} | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for key, label in rows:
        cells = " | ".join(cell(found[name][key]) for name in names)
        lines.append(f"| {label} | {cells} |")
    return [*lines, ""]


def cell(figure: Json) -> str:
    if "raw" not in figure:
        return f"{figure['ours']:,.0f}"
    return f"{number(figure['raw'])} → {number(figure['ours'])}, **{figure['ratio']:.2g}**"


def number(given: float) -> str:
    return f"{given:,.0f}" if given >= 10 else f"{given:.1f}"


def main(files: list[str]) -> None:
    found = {"machine": machine(), "calls": calls(), "imports": imports(), "memory": memory()}
    shown = table(found)
    print(shown)
    if files:
        Path(files[0]).write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    if files[1:]:
        Path(files[1]).write_text(shown, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
