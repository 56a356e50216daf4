// Tests which annotations and decorators only some CPythons can evaluate when a file is imported.
#include "python/prefilter/evaluated.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::python {
namespace {

// "10:2 the annotation str | None"
std::string found(std::string_view source) {
  const auto lines = lines_of(source);
  const auto one = evaluated_syntax(*lines);
  return one ? std::to_string(one->since) + ':' + std::to_string(one->line) + ' ' + one->what : "";
}

TEST(Evaluated, AnnotationsOfModulesClassesAndTheirFunctions) {
  EXPECT_EQ(found("import os\ndef f(a, b: str | None = None): pass\n"), "10:2 the annotation str | None");
  EXPECT_EQ(found("def f(a=1) -> int | str:\n  pass\n"), "10:1 the annotation int | str");
  EXPECT_EQ(found("class A:\n  x: None | B = 3\n"), "10:2 the annotation None | B");
  EXPECT_EQ(found("class A:\n  async def f(self, x: Dict[str, B | None]): pass\n"), "10:2 the annotation B | None");
  EXPECT_EQ(found("x: typ.Literal['a'] | None\n"), "10:1 the annotation ... | None");
  EXPECT_EQ(found("def f(\n    a: list[str],\n): pass\n"), "9:2 the annotation list[...]");
  EXPECT_EQ(found("def f(*args: dict[str, int], **kw: int) -> None: pass\n"), "9:1 the annotation dict[...]");
}

TEST(Evaluated, KeywordsOfDataclass) {
  EXPECT_EQ(found("from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass A: pass\n"),
            "10:2 @dataclass(slots=...)");
  EXPECT_EQ(found("import dataclasses\n@dataclasses.dataclass(weakref_slot=True)\nclass A: pass\n"),
            "11:2 @dataclass(weakref_slot=...)");
  EXPECT_EQ(found("from attr import dataclass\n@dataclass(slots=True)\nclass A: pass\n"), "");
  EXPECT_EQ(found("from dataclasses import dataclass\n@dataclass(**OPTIONS)\nclass A: pass\n"), "");
}

TEST(Evaluated, NothingThatIsNotEvaluatedOrWorksEverywhere) {
  for (const char* const source : {
           "from __future__ import annotations\ndef f(a: str | None): pass\n",
           "def f():\n  x: str | None = None\n  def g(a: list[int]): pass\n",
           "if TYPE_CHECKING:\n  def f(a: list[int]): pass\n",
           "try:\n  x: int | None = 1\nexcept TypeError: pass\n",
           "def f(a: 'str | None', b: \"list[int]\"): pass\n",
           "def f(a: List[int], b: typing.list[int], c=x | None): pass\n",
           "def f(a=lambda x: list[x]): pass\n",
           "x = list[int]\n",
           "else: y = a | None\n",
           "from typing_extensions import Self\nclass A:\n  def f(self) -> Self | None: pass\n",
           "a: Flags = Flags.A | Flags.B\n",
           "def f(a: A | B): pass\n",
           "def f(a: int.x | str): pass\n",
       })
    EXPECT_EQ(found(source), "") << source;
}

}  // namespace
}  // namespace wheelcheck::python
