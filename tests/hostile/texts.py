"""Texts that would leave a comment, a string, a cell or a line of an artefact if anything let them."""

from hypothesis import strategies as st

FRAGMENTS = (
    "\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x00", "\x1b[2J", "\t", "\u202e", '"', "'", "`", "\\",
    "\\n", "*/", "/*", "//", "--", "#", "-->", "<!--", "]]>", "<![CDATA[", "<script>alert(1)</script>", "</td>",
    "&amp;", "|", "${x}", "$x", "$$", "{{ .x }}", "{%", "%0A", "::error::", ": ", "- ", "? ", "&a", "*a",
    "!tag", "@name", "[a](b)", ";", "GO\n", "db.dropDatabase();", "DROP KEYSPACE ks;", "FLUSHALL",
    "include /etc/passwd", "__proto__", "constructor", "0", "1", "10", "no", "null", "1e3", "=", ",", "~", "é",
    "名", "😀",
)  # fmt: skip
"""What ends or begins something in one of the languages, and what somebody would write behind it."""

TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), min_size=1, max_size=6).map("".join).filter(bool)
"""Such texts, without lone surrogates, which no file in UTF-8 can hold."""
