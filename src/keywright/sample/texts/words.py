"""Words for invented people, titles and texts."""

FIRST_NAMES = (
    "Ada", "Amara", "Anton", "Bela", "Carla", "Chidi", "Dana", "Diego", "Elif", "Emil", "Fatima", "Femi", "Greta",
    "Hana", "Hugo", "Ines", "Ivo", "Jana", "Joon", "Kaito", "Kira", "Lena", "Luca", "Maya", "Milan", "Nadia", "Noor",
    "Olga", "Omar", "Paula", "Pavel", "Quinn", "Rosa", "Ravi", "Sara", "Sven", "Tara", "Tomas", "Uma", "Vera", "Yara",
)  # fmt: skip

LAST_NAMES = (
    "Abara", "Almeida", "Berg", "Castro", "Dahl", "Demir", "Eriksen", "Farkas", "Fischer", "Gupta", "Haddad", "Horvat",
    "Ibarra", "Jensen", "Kaya", "Kovac", "Lind", "Lopez", "Marek", "Mbeki", "Moreau", "Nakano", "Novak", "Okafor",
    "Olsen", "Park", "Petrov", "Quist", "Reyes", "Rossi", "Sato", "Silva", "Tanaka", "Torres", "Ueda", "Varga",
    "Weber", "Yilmaz", "Zeman",
)  # fmt: skip

ADJECTIVES = (
    "amber", "bold", "bright", "calm", "clear", "cobalt", "copper", "crisp", "early", "fair", "fresh", "gentle",
    "golden", "green", "hidden", "ivory", "keen", "late", "light", "little", "lucky", "mellow", "modern", "narrow",
    "noble", "open", "plain", "proud", "quick", "quiet", "rapid", "rare", "round", "royal", "silver", "simple",
    "slow", "small", "smooth", "soft", "solid", "steady", "sunny", "swift", "tidy", "warm", "wide", "wild", "young",
)  # fmt: skip

NOUNS = (
    "anchor", "apple", "arrow", "basket", "beach", "bell", "bird", "boat", "book", "bridge", "candle", "cloud",
    "coast", "compass", "corner", "door", "field", "forest", "garden", "glass", "harbour", "hill", "island", "kettle",
    "lake", "lamp", "lantern", "leaf", "market", "meadow", "mirror", "moon", "morning", "mountain", "orchard",
    "paper", "pebble", "pencil", "pine", "plate", "pocket", "pond", "river", "road", "roof", "shell", "shore",
    "spring", "star", "stone", "summer", "table", "thread", "tower", "train", "valley", "village", "water", "willow",
    "window", "winter",
)  # fmt: skip

PLAIN = (
    "and", "beside", "finds", "from", "has", "holds", "in", "is", "keeps", "leaves", "near", "of", "on", "over",
    "reads", "sees", "the", "the", "the", "to", "under", "waits", "was", "with",
)  # fmt: skip
"""Words between nouns; every sentence has some."""
