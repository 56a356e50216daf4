"""markdown: rendered by a CommonMark parser with GitHub's tables, and parsed again."""

import html.parser
import unittest

import markdown_it

from support import PROGRAM, WHEELS
from wheels import HOSTILE_FILE, run

TAGS = {"h2", "p", "table", "thead", "tbody", "tr", "th", "td", "code", "strong", "details", "summary", "ul", "li",
        "br"}
LIMIT = 900_000
LAST_LINE = "\nThis summary is cut at 900 kB. Other formats, such as `--format json`, contain everything.\n"


class Reader(html.parser.HTMLParser):
    """Tags, attributes and text. Elements without an end tag are left in `open`."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text, self.open, self.outside_code = set(), set(), "", [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.open.append("/" + tag)

    def handle_data(self, data):
        self.text += data
        if "code" not in self.open:
            self.outside_code += data


def rendered(*words):
    text = run(PROGRAM, "--format", "markdown", *words)
    return text, Reader(markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").render(text))


class Markdown(unittest.TestCase):
    def test_nothing_but_what_we_write_is_markup(self):
        for words in (WHEELS.all, WHEELS.hostile()):
            _, page = rendered(*words)
            self.assertEqual(page.tags - TAGS, set())
            self.assertEqual(page.attributes - {"open", "style"}, set())
            self.assertEqual(page.open, [])

    def test_names_are_shown_as_they_are(self):
        _, page = rendered(*WHEELS.hostile())
        self.assertIn(HOSTILE_FILE.replace("\u202e", "\\u{202e}"), page.text)
        for name in ("</script>|`@", "]]>::error::", "[a](//b)<i>{", "\"><b>&lt;%0A"):
            self.assertIn(name, page.text)
        self.assertNotIn("@", page.outside_code)

    def test_every_wheel_has_its_row_and_every_finding_too(self):
        text, page = rendered(*WHEELS.all)
        for wheel in WHEELS.all:
            self.assertIn(wheel.name, page.text)
        self.assertIn("cannot be read", page.text)
        count = run(PROGRAM, "--format", "json", WHEELS.failing).count('"confidence": ')
        self.assertGreaterEqual(count, text.count("| WC"))
        self.assertIn("<details open>", text)

    def test_is_cut_at_a_line_and_says_so(self):
        text, page = rendered(WHEELS.many(700))
        self.assertLess(len(text.encode()), LIMIT)
        self.assertGreater(len(text.encode()), LIMIT - 5000)
        self.assertEqual(page.open, [])
        self.assertTrue(text.endswith(LAST_LINE))


if __name__ == "__main__":
    unittest.main()
