"""The program of the server's process: llama.cpp behind HTTP for as long as its parent lives."""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
from typing import Any


def main() -> None:
    """Reads its orders from stdin, tells the address on stdout, ends when stdin ends."""
    # Ctrl-C in a terminal reaches this process too, but the parent decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders = json.loads(sys.stdin.readline())
    sys.path.append(orders["packages"])
    xllamacpp: Any = importlib.import_module("xllamacpp")
    try:
        server = xllamacpp.Server(_parameters(xllamacpp.CommonParams(), orders))
    except RuntimeError:
        os._exit(1)  # it has said why on stderr
    # From here on it would only repeat to the user's terminal what it answers over HTTP.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    print(json.dumps({"address": server.listening_address}), flush=True)
    sys.stdin.read()
    # llama.cpp hangs or crashes when it is taken down while it answers.
    os._exit(0)


def _parameters(parameters: Any, orders: dict[str, Any]) -> Any:
    parameters.model.path = orders["model"]
    parameters.model_alias = {orders["name"]}
    parameters.chat_template = orders["template"]
    parameters.api_keys = [orders["key"]]
    parameters.hostnames, parameters.port = ["127.0.0.1"], orders["port"]
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = orders["threads"]
    parameters.n_ctx, parameters.n_parallel = 4096, 2
    # Kept prompts would otherwise take up to 8 GB of memory.
    parameters.cache_ram_mib = 0
    # 1 = errors only
    parameters.verbosity, parameters.ui, parameters.offline = 1, False, True
    return parameters


if __name__ == "__main__":
    main()
