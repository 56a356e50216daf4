"""html: the page in a real browser: its network requests, its filters, and whether it fits its window."""

import json
import os
import pathlib
import re
import unittest

from browser import Browser
from support import PROGRAM, WHEELS
from wheels import HOSTILE_FILE, run

SHOWN = "[...document.querySelectorAll('.finding')].filter(one => one.offsetParent !== null)"
PICTURES = pathlib.Path(os.environ.get("WHEELCHECK_SCREENSHOTS", WHEELS.folder))


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.pages = {}
        for name, words in (("failing", [WHEELS.failing]), ("all", WHEELS.all), ("hostile", WHEELS.hostile())):
            cls.pages[name] = WHEELS.folder / f"{name}.html"
            cls.pages[name].write_text(run(PROGRAM, "--format", "html", *words), encoding="utf-8")
        cls.pages["conflicts"] = WHEELS.folder / "conflicts.html"
        cls.pages["conflicts"].write_text(run(PROGRAM, "conflicts", "--format", "html", *WHEELS.all[:2]), encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, name, width=1400, scheme="light"):
        self.browser.look(width, scheme)
        asked, complaints = self.browser.open(self.pages[name].as_uri())
        self.assertEqual(asked, [self.pages[name].as_uri()])
        self.assertEqual(complaints, [])

    def shown(self, what="one.dataset.rule"):
        return self.browser.value(f"{SHOWN}.map(one => {what})")

    def test_asks_the_network_for_nothing(self):
        for name in self.pages:
            self.open(name)

    def test_lets_nothing_else_run(self):
        self.open("failing")
        self.browser.events.clear()
        self.browser.value("""document.body.insertAdjacentHTML('beforeend',
            '<img src="x:" onerror="window.ran = 1"><iframe srcdoc="<script>parent.ran = 1<\\/script>"></iframe>');
            const own = document.createElement('script');
            own.textContent = 'window.ran = 1';
            document.body.append(own)""")
        self.browser.settle()
        self.assertIsNone(self.browser.value("window.ran"))

    def test_hostile_names_stay_text(self):
        self.open("hostile")
        text = self.browser.value("document.body.textContent")
        for name in (HOSTILE_FILE.replace("\u202e", "\\u{202e}"), "</script>|`@", "]]>::error::", "\"><b>&lt;%0A"):
            self.assertIn(name, text)
        strange = "b:not(.tiles b, .fix b), [onclick], body script"
        self.assertEqual(self.browser.value(f"document.querySelectorAll('{strange}').length"), 1)

    def test_shows_what_the_report_says(self):
        self.open("failing")
        (wheel,) = json.loads(run(PROGRAM, "--format", "json", WHEELS.failing))["wheels"]
        groups = dict.fromkeys((one["code"], one["severity"]) for one in wheel["findings"])
        self.assertEqual(self.shown(), [code for code, _ in groups])
        text = self.browser.value("document.body.innerText")
        for one in wheel["findings"]:
            for part in re.split(r"_Z\w+", one["message"]):  # the page demangles
                self.assertIn(part.strip(), text)
        for one in wheel["elf_files"]:
            self.assertIn(one["member"], text)
        for claim in wheel["claims"]:
            self.assertIn(claim["tag"], text)

    def test_filters_by_typing(self):
        self.open("failing")
        everything = self.shown()
        self.browser.type("/")
        self.assertEqual(self.browser.value("document.activeElement.name"), "text")
        self.browser.type("pthread_create")
        found = self.shown("one.textContent")
        self.assertTrue(0 < len(found) < len(everything))
        self.assertTrue(all("pthread_create" in text for text in found))
        self.assertEqual(self.browser.value("document.querySelector('.filters output').textContent"),
                         f"{len(found)} of {len(everything)} shown")
        self.browser.value("document.querySelector('.filters [type=reset]').click()")
        self.browser.settle()
        self.assertEqual(self.shown(), everything)

    def choose(self, name, value):
        self.browser.value(f"""(() => {{ const field = document.querySelector('.filters').elements[{json.dumps(name)}];
            field.value = {json.dumps(value)}; field.dispatchEvent(new Event('input', {{bubbles: true}})) }})()""")

    def test_filters_by_severity_rule_and_file(self):
        self.open("failing")
        self.choose("rule", "WC102")
        self.assertEqual(set(self.shown()), {"WC102"})
        self.choose("rule", "")
        self.choose("member", self.browser.value("document.querySelector('[name=member]').options[1].value"))
        chosen = self.browser.value("document.querySelector('[name=member]').value")
        places = self.shown("[...one.querySelectorAll('.place')].map(place => place.textContent)")
        self.assertTrue(places)
        self.assertTrue(all(chosen in group for group in places))
        self.choose("member", "")
        self.browser.value("document.querySelector('[name=severity][value=error]').click()")
        self.assertEqual(set(self.shown("one.dataset.severity")) & {"error"}, set())
        self.assertTrue(self.shown())

    def test_every_control_is_reached_by_tab(self):
        self.open("failing")
        controls = ".filters input, .filters select, .filters button, summary"
        wanted = self.browser.value(f"document.querySelectorAll('{controls}').length")
        reached = set()
        for _ in range(wanted + 30):
            self.browser.press("Tab", 9)
            reached.add(self.browser.value(
                f"[...document.querySelectorAll('{controls}')].indexOf(document.activeElement)"))
        self.assertEqual(len(reached - {-1}), wanted)

    def test_fits_narrow_and_wide_windows_in_both_schemes(self):
        PICTURES.mkdir(parents=True, exist_ok=True)
        for name in self.pages:
            for width in (400, 1400):
                seen = {}
                for scheme in ("light", "dark"):
                    self.open(name, width, scheme)
                    self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), width)
                    seen[scheme] = sum(map(int, re.findall(r"\d+", self.browser.value(
                        "getComputedStyle(document.body).backgroundColor"))[:3]))
                    (PICTURES / f"{name}-{width}-{scheme}.png").write_bytes(self.browser.picture())
                self.assertGreater(seen["light"], 600)
                self.assertLess(seen["dark"], 200)

    def test_is_printed_in_full(self):
        self.open("failing")
        self.browser.value("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.value("document.querySelectorAll('details:not([open])').length"), 0)
        self.browser.look(800, "light", media="print")
        self.assertEqual(self.browser.value("getComputedStyle(document.querySelector('.filters')).display"), "none")
        self.browser.value("dispatchEvent(new Event('afterprint'))")
        self.assertGreater(self.browser.value("document.querySelectorAll('details:not([open])').length"), 0)

    def test_every_text_has_contrast(self):
        """WCAG 2.1, 1.4.3: a contrast of 4.5 to 1 between each colour of text and its background."""
        for scheme in ("light", "dark"):
            self.open("all", 1400, scheme)
            self.assertEqual(self.browser.value(CONTRAST), [], scheme)


CONTRAST = r"""(() => {
  const parts = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => { for (; node; node = node.parentElement) {
    const colour = parts(getComputedStyle(node).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour; }
    return [255, 255, 255]; };
  const bad = new Set();
  for (const node of document.querySelectorAll('body *')) {
    const text = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
    if (node.offsetParent === null || node.tagName === 'OPTION' || !text) continue;
    const [a, b] = [light(parts(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) bad.add(`${node.tagName}.${node.className}`);
  }
  return [...bad];
})()"""

if __name__ == "__main__":
    unittest.main()
