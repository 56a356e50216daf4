// Compares ld.so and predict for random libraries, symbols, versions, needs and opens. They are the same in every run.
#include <gtest/gtest.h>

#include "tests/loader_oracle/dice.h"
#include "tests/loader_oracle/process_world.h"

namespace wheelcheck::oracle {
namespace {

constexpr unsigned functions = 5, variables = 3;

std::string number(unsigned value) { return std::to_string(value); }
std::string letter_of(Dice& dice, char letter, unsigned count) { return letter + number(dice.below(count)); }

// Definitions: functions f0..., data v0..., thread-local t0..., UNIQUE u0....
std::string definitions(Dice& dice) {
  std::string out;
  for (unsigned i = 0; i < functions; ++i) {
    if (dice.one_in(2)) continue;
    const unsigned kind = dice.below(6);
    if (kind == 0) out += "__attribute__((weak)) ";
    if (kind == 1) out += "__attribute__((visibility(\"protected\"))) ";
    out += "int f" + number(i) + "(void) { return " + number(i) + "; }\n";
  }
  for (unsigned i = 0; i < variables; ++i) {
    if (dice.one_in(2)) out += "int v" + number(i) + " = 1;\n";
    if (dice.one_in(2)) out += "__thread int t" + number(i) + " = 1;\n";
    if (dice.one_in(2)) continue;
    const std::string name = "u" + number(i);
    out += "asm(\".data; .globl " + name + "; .type " + name + ", @gnu_unique_object; .size " + name + ", 4; " + name +
           ": .zero 4; .previous\");\n";
  }
  return out;
}

// References: calls, addresses, weak ones. `sure` omits those that may have no definition.
std::string references(Dice& dice, bool sure) {
  std::string body, out;
  const auto declare = [&](const std::string& declaration, const std::string& name) {
    const std::string weak = sure || !dice.one_in(12) ? "__attribute__((weak)) " : "";
    out += "extern " + weak + declaration + ";\n";
    return name;
  };
  for (unsigned count = 3 + dice.below(6); count != 0; --count) {
    const std::string f = letter_of(dice, 'f', functions), v = letter_of(dice, 'v', variables);
    switch (dice.below(4)) {
      case 0:
        body += "  " + declare("int " + f + "(void)", f) + "();\n";
        break;
      case 1:
        out += "extern __attribute__((weak)) int " + f + "(void); int (*at_" + f + "_" + number(count) +
               ")(void) = " + f + ";\n";
        break;
      case 2:
        out += "extern __attribute__((weak)) int " + v + "; int* at_" + v + "_" + number(count) + " = &" + v + ";\n";
        break;
      default: {
        const std::string name = letter_of(dice, dice.one_in(2) ? 'u' : 't', variables);
        const std::string type = name[0] == 't' ? "__thread int " : "int ";
        out += "extern __attribute__((weak)) " + type + name + ";\n";
        body += "  sink = &" + name + ";\n";
      }
    }
  }
  return "static void* volatile sink;\n" + out + "void run_calls(void) {\n" + body + "}\n";
}

std::string script(Dice& dice) {
  switch (dice.below(5)) {
    case 0:
      return "V1 { global: f0; f1; v0; u0; }; V2 { global: f2; f3; u1; } V1;";
    case 1:
      return "V2 { global: *; };";
    case 2:
      return "V1 { global: f*; }; V3 { global: v*; u2; } V1;";
    default:
      return "";
  }
}

Made library(Dice& dice, const std::string& path, std::vector<std::string> needed) {
  Made out{.path = path, .source = definitions(dice) + references(dice, false), .needed = std::move(needed)};
  const std::string base = path.substr(path.rfind('/') + 1);
  if (!dice.one_in(4)) out.soname = dice.one_in(8) ? "lib0.so" : base;
  const std::string directories = dice.one_in(2) ? "$ORIGIN:$ORIGIN/../d0" : "$ORIGIN/../d1:$ORIGIN/../d0";
  (dice.one_in(3) ? out.rpath : out.runpath) = directories;
  out.script = script(dice);
  if (dice.one_in(6)) out.options.push_back("-Wl,-Bsymbolic");
  if (dice.one_in(6)) out.options.push_back("-Wl,-z,now");
  if (dice.one_in(8)) out.options.push_back("-Wl,--auxiliary=libleaf.so");
  if (dice.one_in(8)) out.options.push_back("-Wl,-z,nodelete");
  if (dice.one_in(6)) out.options.push_back("-Wl,--hash-style=sysv");
  return out;
}

void make(ProcessWorld& world, Dice& dice) {
  // Filtees have no needs, because libraries that filter each other cause an endless loop in ld.so.
  std::vector<std::string> made{"d0/libleaf.so"};
  world.make({.path = made[0], .source = definitions(dice), .soname = "libleaf.so"});
  for (unsigned i = 0; i < 4 + dice.below(3); ++i) {
    std::vector<std::string> needed;
    for (unsigned count = dice.below(3); count != 0; --count)
      needed.push_back(dice.one_in(10) ? "lib" + number(dice.below(5)) + ".so"
                                       : made[dice.below(static_cast<unsigned>(made.size()))]);
    // The linker does not read the needs of another library for a file of the same name.
    const std::string path = "d" + number(dice.below(2)) + "/lib" + number(i) + ".so";
    world.make(library(dice, path, needed));
    made.push_back(path);
  }
  if (dice.one_in(3))
    world.program({.source = definitions(dice) + references(dice, true),
                   .options = dice.one_in(2) ? std::vector<std::string>{"-rdynamic", "-fPIE", "-pie"}
                                             : std::vector<std::string>{"-fno-pie", "-no-pie"}});
  if (dice.one_in(5)) world.environment("LD_PRELOAD", world.at(made[dice.below(4)]).string());
  if (dice.one_in(6)) world.environment("LD_DYNAMIC_WEAK", "1");
  if (!dice.one_in(4)) world.environment("LD_BIND_NOW", "1");
  for (unsigned count = 3 + dice.below(4); count != 0; --count) {
    std::string flags = dice.one_in(3) ? "l" : "n";
    if (dice.one_in(3)) flags += "g";
    if (dice.one_in(6)) flags += "d";
    if (dice.one_in(10)) flags += "o";
    if (dice.one_in(10)) flags += "e";
    const std::string path = made[dice.below(static_cast<unsigned>(made.size()))];
    world.open(flags + ":" + (dice.one_in(6) ? path.substr(path.rfind('/') + 1) : path));
  }
}

// Four tests, so that they can run in parallel.
class RealRandomProcess : public testing::TestWithParam<unsigned> {};

TEST_P(RealRandomProcess, IsUnderstoodAlike) {
  constexpr unsigned worlds = 25;
  unsigned failures = 0, opens = 0, bindings = 0;
  for (unsigned i = 0; i < worlds; ++i) {
    const unsigned seed = GetParam() * worlds + i;
    ProcessWorld world;
    Dice dice(seed + 1000);
    make(world, dice);
    SCOPED_TRACE("seed " + number(seed));
    expect_alike(world);
    const Played predicted = world.predicted();
    opens += static_cast<unsigned>(predicted.opened.size());
    for (const std::string& opened : predicted.opened) failures += opened != "ok" ? 1 : 0;
    for (const auto& [key, to] : predicted.bindings) bindings += std::get<0>(key).starts_with("d") ? 1 : 0;
  }
  // Both outcomes occur often enough.
  EXPECT_GT(failures, opens / 20);
  EXPECT_LT(failures, opens * 3 / 4);
  EXPECT_GT(bindings, worlds * 8);
}
INSTANTIATE_TEST_SUITE_P(Worlds, RealRandomProcess, testing::Range(0U, 4U));

}  // namespace
}  // namespace wheelcheck::oracle
