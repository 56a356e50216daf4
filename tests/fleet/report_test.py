"""report: the page in a real browser. It makes no network request, draws the values of the tables, and fits its
window."""

import json
import os
import pathlib
import shutil
import unittest

import made
from support import audit, fleet, manifest, rows

from browser import Browser
from wheels import Wheels

HOSTILE = "<img src=x onerror=\"window.ran=1\">-1-</script><b>.whl"
PICTURES = os.environ.get("WHEELCHECK_SCREENSHOTS")
PLOTS = ("tags", "floors", "rules", "heaviest")


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wheels = Wheels()
        cls.folder = cls.wheels.folder
        paths = made.variants(cls.folder / "made", 4)
        hostile = cls.folder / "made" / HOSTILE.replace("/", "%2F")
        shutil.copy(paths[0], hostile)
        entries = [{"wheel": str(path), "date": f"{2019 + number}-05-01"} for number, path in enumerate(paths)]
        listed = manifest(cls.folder / "manifest.jsonl", [*entries, hostile, cls.folder / "absent-1-py3-none-any.whl"])
        cls.out = cls.folder / "out"
        audit(listed, cls.out, check=("--external=libtiff.so.6",))
        cls.page = cls.out / "report.html"
        fleet("report", cls.out)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, width=1400, page=None):
        self.browser.look(width, "light")
        asked, said = self.browser.open((page or self.page).as_uri())
        self.browser.value("""new Promise(done => { const look = () => Bokeh.documents.length > 0 &&
            Bokeh.documents.every(one => one.is_idle) ? done(1) : setTimeout(look, 50); look(); })""")
        self.browser.settle()
        self.assertEqual(asked, [(page or self.page).as_uri()])
        spoken = [one for one in said if one.get("type") not in ("log", "info")]  # BokehJS logs its version
        self.assertEqual(spoken, [])

    def table(self, title):
        return self.browser.value(f"""[...document.querySelectorAll('[aria-label="{title}"] tr')].slice(1)
            .map(row => [...row.cells].map(cell => cell.textContent))""")

    def test_the_page(self):
        self.open()
        self.assertIsNone(self.browser.value("window.ran"))
        self.assertEqual(self.browser.value("[...document.querySelectorAll('.plot')].map(one => one.id)"), list(PLOTS))
        for name in PLOTS:
            box = f"(({name}) => {name}.firstElementChild.getBoundingClientRect())(document.getElementById('{name}'))"
            self.assertGreater(self.browser.value(f"{box}.height"), 80, name)
            self.assertGreater(self.browser.value(f"{box}.width"), 500, name)
        self.assertEqual(self.browser.value("document.querySelector('h1').textContent"), "Audit of 6 wheels")
        self.assertEqual(self.browser.value("document.querySelector('#total-unjudged b').textContent"), "2")
        wheels = {(row["file"], row["sha256"]) for row in rows(self.out, "findings") if row["code"] == "WC102"}
        (rule,) = [row for row in self.table("Rules by frequency") if row[0] == "WC102"]
        self.assertEqual(rule[3], str(len(wheels)))
        self.assertEqual([row[0] for row in self.table("Claimed and compatible tags")], ["manylinux_2_17"])
        reasons = {row[0]: row[2:] for row in self.table("Without a verdict")}
        self.assertEqual(reasons["not-found"], ["absent-1-py3-none-any.whl", "no such file"])
        self.drawn_where_the_table_says()
        for width in (400, 1400):
            self.open(width)
            self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), width)
            if PICTURES:
                pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
                pathlib.Path(PICTURES, f"fleet-{width}.png").write_bytes(self.browser.picture())

    def drawn_where_the_table_says(self):
        """The bars themselves: the data that BokehJS draws."""
        data = self.browser.value("""(() => {
            const plots = Bokeh.documents.flatMap(one => one.roots());
            const plot = plots.find(one => one.y_range?.factors?.some(label => label.startsWith('WC')));
            const source = plot.renderers[0].data_source.data;
            return JSON.stringify([[...source.rule], [...source.wheels]]); })()""")
        labels, wheels = json.loads(data)
        table = self.table("Rules by frequency")
        self.assertEqual(labels, [f"{row[0]} {row[1]}" for row in table])
        self.assertEqual(list(map(str, wheels)), [row[3] for row in table])

    def test_the_same_tables_give_the_same_page(self):
        first = self.page.read_bytes()
        fleet("report", self.out, "-o", self.folder / "again.html")
        self.assertEqual((self.folder / "again.html").read_bytes(), first)

    def test_an_index_of_clean_wheels(self):
        """Without findings and dates the sections say so."""
        out = self.folder / "clean-out"
        audit(manifest(self.folder / "clean.jsonl", [self.wheels.clean]), out)
        fleet("report", out)
        self.open(page=out / "report.html")
        text = self.browser.value("document.body.innerText")
        self.assertIn("Every wheel was judged", text)
        self.assertIn("No manylinux wheel has a date", text)


if __name__ == "__main__":
    unittest.main()
