"""What Anthropic's models refuse or need, as far as Anthropic and its neighbours say."""

from interlingua.facts import Fact, table

THINKING = "Anthropic, Adaptive thinking"
PROFILES = "LangChain's profiles of Anthropic's models"

facts = table(
    # They think only within a budget.
    Fact(
        (
            "claude-3*",
            "claude-4-opus",
            "claude-4-sonnet",
            "claude-haiku-4-5",
            "claude-opus-4",
            "claude-opus-4-0",
            "claude-opus-4-1",
            "claude-opus-4-5",
            "claude-sonnet-4",
            "claude-sonnet-4-0",
            "claude-sonnet-4-5",
        ),
        source=f"{THINKING}; {PROFILES}",
        date="2026-11",
        budget="needed",
        system="first",
    ),
    # They think either way.
    Fact(
        ("claude-opus-4-6", "claude-sonnet-4-6"),
        source=PROFILES,
        date="2026-11",
        system="first",
    ),
    # They decide themselves how much they think.
    Fact(
        ("claude-opus-4-7",),
        source=f"{THINKING}; {PROFILES}",
        date="2026-11",
        budget="refused",
        system="first",
    ),
    Fact(
        (
            "claude-fable-5*",
            "claude-haiku-5-5",
            "claude-mythos-5*",
            "claude-opus-4-8",
            "claude-opus-5",
            "claude-sonnet-5*",
        ),
        source=THINKING,
        date="2026-11",
        budget="refused",
    ),
    # It always thinks.
    Fact(
        ("claude-opus-5-5",),
        source=THINKING,
        date="2026-11",
        budget="refused",
        efforts=("low", "medium", "high", "xhigh", "max"),
    ),
)
