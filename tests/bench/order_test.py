"""order_test.py PROGRAM SCRIPT: what the linker's script of bench/order.py names is in the program, in one place."""

import pathlib
import re
import subprocess
import sys
import unittest

PROGRAM, SCRIPT = sys.argv[1:3]


class Order(unittest.TestCase):
    def setUp(self):
        text = pathlib.Path(SCRIPT).read_text()
        self.named = set(re.findall(r"^ +\*\(\.text\.(?:unlikely\.|startup\.|hot\.)?([^)]+)\)$", text, re.M))
        self.symbols = {}
        for line in subprocess.check_output(["nm", PROGRAM], text=True).splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in "tTwW":
                self.symbols.setdefault(words[2], []).append(int(words[0], 16))
        headers = subprocess.check_output(["readelf", "-SW", PROGRAM], text=True)
        begin, size = re.search(r" \.text\.first +PROGBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) ", headers).groups()
        self.first = range(int(begin, 16), int(begin, 16) + int(size, 16))

    def test_most_of_it_is_still_there(self):
        gone = sorted(name for name in self.named if name not in self.symbols)
        self.assertGreater(len(self.named), 500)
        self.assertLess(len(gone), len(self.named) / 4, f"time to run bench/order.py again; gone are {gone[:20]} ...")

    def test_it_stands_together(self):
        stray = [name for name in self.named & self.symbols.keys()
                 if not any(at in self.first for at in self.symbols[name])]
        self.assertEqual(stray, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
