"""cyclonedx: the official schema, references to existing components, and hashes of the files."""

import hashlib
import json
import unittest
import uuid

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from support import PROGRAM, WHEELS
from wheels import read, run


def bom_of(*words):
    return run(PROGRAM, "--format", "cyclonedx", *words)


def by_ref(bom):
    listed = [*bom["components"], *filter(None, [bom["metadata"].get("component")])]
    return {one["bom-ref"]: one for one in listed}


class CycloneDx(unittest.TestCase):
    def test_fits_the_schema(self):
        validator = JsonStrictValidator(SchemaVersion.V1_6)
        for words in (WHEELS.all, [WHEELS.failing], [WHEELS.clean], [WHEELS.unreadable], WHEELS.hostile(),
                      [WHEELS.failing, WHEELS.failing]):
            self.assertIsNone(validator.validate_str(bom_of(*words)), words)
        self.assertIsNotNone(validator.validate_str(bom_of(WHEELS.clean).replace("post-build", "never")))

    def test_references_lead_somewhere_and_are_unique(self):
        for words in (WHEELS.all, WHEELS.hostile(), [WHEELS.failing, WHEELS.failing]):
            bom = json.loads(bom_of(*words))
            components = by_ref(bom)
            self.assertEqual(len(components), len(bom["components"]) + ("component" in bom["metadata"]))
            for entry in bom["dependencies"]:
                self.assertIn(entry["ref"], components)
                for ref in entry["dependsOn"]:
                    self.assertIn(ref, components)

    def test_the_wheel_is_what_it_is_about(self):
        wheel = json.loads(bom_of(WHEELS.failing))["metadata"]["component"]
        purl = PackageURL.from_string(wheel["purl"])
        self.assertEqual((purl.type, purl.name, purl.version), ("pypi", "gridfit", "1.4.0"))
        self.assertNotIn("component", json.loads(bom_of(*WHEELS.all, WHEELS.next_release()))["metadata"])

    def test_hashes_are_those_of_the_files(self):
        members = read(WHEELS.failing)
        files = [one for one in json.loads(bom_of(WHEELS.failing))["components"] if one["type"] == "file"]
        self.assertEqual({one["name"] for one in files}, {name for name in members if ".so" in name})
        for one in files:
            digest = hashlib.sha256(members[one["name"]]).hexdigest()
            self.assertEqual(one["hashes"], [{"alg": "SHA-256", "content": digest}])

    def test_the_serial_number_follows_from_the_content(self):
        text = bom_of(WHEELS.failing)
        self.assertEqual(text, bom_of(WHEELS.failing))
        bom = json.loads(text)
        serial = bom.pop("serialNumber")
        content = json.dumps(bom, indent=2, ensure_ascii=False) + "\n"
        self.assertEqual(serial, f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}")
        self.assertNotEqual(serial, json.loads(bom_of(WHEELS.next_release()))["serialNumber"])
        self.assertNotIn("timestamp", bom["metadata"])

    def test_what_cannot_be_read_is_not_passed_over(self):
        (note,) = json.loads(bom_of(*WHEELS.all))["metadata"]["properties"]
        self.assertEqual(note["name"], "wheelcheck:unreadable")
        self.assertIn(WHEELS.unreadable.name, note["value"])


if __name__ == "__main__":
    unittest.main()
