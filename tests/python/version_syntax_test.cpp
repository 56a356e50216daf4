// Tests which syntax is found to belong to some CPythons only.
#include "python/prefilter/version_syntax.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::python {
namespace {

using testing::IsEmpty;

// "10:2 a match statement"
std::vector<std::string> found(std::string_view source) {
  std::vector<std::string> result;
  for (const PythonSyntax& one : version_syntax(source))
    result.push_back(std::to_string(one.since) + ':' + std::to_string(one.line) + ' ' + one.what);
  return result;
}
testing::Matcher<std::vector<std::string>> is(const std::string& text) { return testing::ElementsAre(text); }

TEST(VersionSyntax, OfNewReleasesIsFound) {
  EXPECT_THAT(found("x = 1\ny = f'{x}'\n"), is("6:2 an f-string"));
  EXPECT_THAT(found("y = Rf\"\"\"\n{x}\"\"\"\n"), is("6:1 an f-string"));
  EXPECT_THAT(found("if (n := len(a)) > 1:\n  pass\n"), is("8:1 an assignment expression (:=)"));
  EXPECT_THAT(found("def f(a, /, b): pass\n"), is("8:1 a positional-only parameter"));
  EXPECT_THAT(found("async def f(a,\n  /): pass\n"), is("8:2 a positional-only parameter"));
  EXPECT_THAT(found("def f():\n  match x:\n    case 1: pass\n"), is("10:2 a match statement"));
  EXPECT_THAT(found("match (a, b):  # comment\n\n  case(1, 2):\n    pass\n"), is("10:1 a match statement"));
  EXPECT_THAT(found("try: pass\nexcept* E: pass\n"), is("11:2 except*"));
  EXPECT_THAT(found("try: pass\nexcept *E: pass\n"), is("11:2 except*"));
  EXPECT_THAT(found("class A[T]: pass\n"), is("12:1 a type parameter"));
  EXPECT_THAT(found("async def f[T](x: T): pass\n"), is("12:1 a type parameter"));
  EXPECT_THAT(found("type X = int\n"), is("12:1 a type statement"));
  EXPECT_THAT(found("type X[T] = list[T]\n"), is("12:1 a type statement"));
  EXPECT_THAT(found("x = t'{y}'\n"), is("14:1 a t-string"));
  EXPECT_THAT(found("x = 1\ny = f\"a{d[\"b\"]}c\"\n"), is("12:2 an f-string with its own quotes in an expression"));
  EXPECT_THAT(found("y = f'{{ {x:{w}} }}{{'\n"), is("6:1 an f-string"));
}

TEST(VersionSyntax, TheNewestIsTaken) {
  EXPECT_THAT(found("a = f''\nb = f''\nif (c := 1): pass\nif (d := 1): pass\ne = f''\n"),
              is("8:3 an assignment expression (:=)"));
}

TEST(VersionSyntax, OfPython2IsFound) {
  EXPECT_THAT(found("x = 1\nprint 'a'\n"), is("-1:2 a print statement"));
  EXPECT_THAT(found("if x:\n  print x\n"), is("-1:2 a print statement"));
  EXPECT_THAT(found("exec code in d\n"), is("-1:1 an exec statement"));
}

TEST(VersionSyntax, OfAllReleasesIsNotFound) {
  for (const char* const source : {"match = 1\n",
                                   "match.group(1)\n",
                                   "match(x)\n",
                                   "match[x]: int = 3\n",
                                   "type = 3\n",
                                   "type(x)\n",
                                   "x = 'f'\n",
                                   "x = type if y else z\n",
                                   "type is None\n",
                                   "print('a')\n",
                                   "print (x)\n",
                                   "print >>f\n",
                                   "print in x\n",
                                   "exec(code)\n",
                                   "x: int = 3\n",
                                   "d = {a: b}\n",
                                   "f = x[1:]\n",
                                   "def f(a=b / c): pass\n",
                                   "def f(a): return a / b\n",
                                   "lambda a: b\n",
                                   "# match x:\n#   case 1:\n",
                                   "'''\nmatch x:\n  case 1: pass\n'''\n",
                                   "x = b'' + u'' + r''\n",
                                   "s = ':='\n",
                                   "def f(*, a): pass\n",
                                   "except_ * 3\n",
                                   "class A(B[T]): pass\n",
                                   "if x: pass\nelse: y = 1\n",
                                   "",
                                   "match x:\n  cases\n",
                                   "x = '''",
                                   "(\n"})
    EXPECT_THAT(found(source), IsEmpty()) << source;
}

}  // namespace
}  // namespace wheelcheck::python
