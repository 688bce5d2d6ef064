"""What OpenAI's models refuse or need, as far as OpenAI says."""

from interlingua.facts import Fact, Setting, table

LATEST = "OpenAI, guide latest-model"
MIGRATION = "OpenAI, guide migrate-to-responses"
SDK = "OpenAI's SDK 3.57.0"

SAMPLING: tuple[Setting, ...] = ("temperature", "top_p")

facts = table(
    Fact(
        ("gpt-6-astra", "gpt-6.1-sol"),
        source=LATEST,
        date="2026-11",
        refuses_while_reasoning=SAMPLING,
        reasons="unasked",
        on_chat="no tools",
    ),
    Fact(
        (
            "gpt-5.6-luna",
            "gpt-5.6-sol",
            "gpt-5.6-terra",
            "gpt-6-luna",
            "gpt-6-sol",
            "gpt-6.1-terra",
            "gpt-6.2-astra",
            "gpt-6.2-sol",
        ),
        source=LATEST,
        date="2026-11",
        refuses_while_reasoning=SAMPLING,
        reasons="unasked",
        on_chat="tools without reasoning",
    ),
    Fact(
        ("gpt-5.4", "gpt-5.4-mini", "gpt-5.4-nano", "gpt-5.5"),
        source=MIGRATION,
        date="2026-11",
        on_chat="tools without reasoning",
    ),
    Fact(
        (
            "codex-mini*",
            "gpt-5-codex*",
            "gpt-5.1-codex*",
            "gpt-5.2-codex*",
            "gpt-5.2-pro",
            "gpt-5.3-codex*",
        ),
        source=MIGRATION,
        date="2026-11",
        on_chat="nothing",
    ),
    Fact(
        (
            "computer-use-preview",
            "gpt-5-pro",
            "gpt-5.5-pro",
            "gpt-5.6-cyber",
            "gpt-6-cyber",
            "gpt-6-rosalind",
            "gpt-6.2-astra-law",
            "gpt-daybreak-*",
            "gpt-rosalind-*",
            "o1-pro",
            "o3-deep-research",
            "o3-pro",
            "o4-mini-deep-research",
        ),
        source=SDK,
        date="2026-11",
        on_chat="nothing",
    ),
    Fact(("o3", "o4-mini"), source=SDK, date="2026-11", refuses=("stop",)),
)
