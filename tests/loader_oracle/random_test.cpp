// Compares ld.so and resolve for random needs, names, search paths and filters. They are the same in every run.
#include <gtest/gtest.h>

#include "tests/loader_oracle/dice.h"
#include "tests/loader_oracle/world.h"

namespace wheelcheck::oracle {
namespace {

constexpr unsigned directories = 3, names = 6;
constexpr int worlds = 30;

std::string directory(Dice& dice) { return "d" + std::to_string(dice.below(directories)); }
std::string library_name(Dice& dice) { return "lib" + std::to_string(dice.below(names)) + ".so"; }

std::string search_path(Dice& dice) {
  static const std::vector<std::string> oddities{"", "d0", "/ghost", "$ORIGIN/ghost/../d1", "${ORIGIN}", "$ORIGINAL"};
  std::string out = "$ORIGIN/../" + directory(dice);
  for (unsigned more = dice.below(3); more != 0; --more)
    out += ":" + (dice.one_in(5) ? oddities[dice.below(static_cast<unsigned>(oddities.size()))]
                                 : "${ORIGIN}/../" + directory(dice));
  return out;
}

Object object(Dice& dice, const std::string& path) {
  Object out{.path = path};
  const std::string base = path.substr(path.rfind('/') + 1);
  if (!dice.one_in(4)) out.soname = dice.one_in(3) ? library_name(dice) : base;
  for (unsigned count = dice.below(3); count != 0; --count)
    out.needed.push_back(dice.one_in(8) ? "$ORIGIN/../" + directory(dice) + "/" + library_name(dice)
                                        : library_name(dice));
  if (dice.one_in(3))
    out.rpath = search_path(dice);
  else if (!dice.one_in(4))
    out.runpath = search_path(dice);
  if (dice.one_in(6)) out.filter = library_name(dice);
  if (dice.one_in(6)) out.auxiliary = library_name(dice);
  return out;
}

void make(World& world, Dice& dice) {
  Object root = object(dice, "d0/x.so");
  root.needed = {library_name(dice), library_name(dice), library_name(dice)};
  if (dice.one_in(2)) root.runpath.clear(), root.rpath = "$ORIGIN/../d0:$ORIGIN/../d1:$ORIGIN/../d2";
  root.soname.clear();
  world.link(root);
  for (unsigned d = 0; d < directories; ++d)
    for (unsigned n = 0; n < names; ++n) {
      const std::string path = "d" + std::to_string(d) + "/lib" + std::to_string(n) + ".so";
      if (!dice.one_in(3))
        world.link(object(dice, path));
      else if (dice.one_in(20))
        world.text(path, "lib0.so");
    }
}

// A DT_AUXILIARY that is not found is not a step of trace.
std::vector<std::string> found(std::vector<std::string> steps) {
  std::erase_if(steps, [](const std::string& step) { return step.ends_with(": nothing"); });
  return steps;
}

TEST(RealRandom, InstallationsAreUnderstoodAlike) {
  int loads = 0;
  for (int seed = 1; seed <= worlds; ++seed) {
    World world;
    Dice dice(static_cast<std::uint64_t>(seed));
    make(world, dice);
    const Answer real = world.real("d0/x.so"), predicted = world.predicted("d0/x.so");
    EXPECT_EQ(real.loads, predicted.loads) << "seed " << seed << "\n" << real.reason << predicted.reason;
    EXPECT_EQ(real.loaded, predicted.loaded) << "seed " << seed;
    if (real.loads) {  // ld.so stops at its first failure, trace continues
      EXPECT_EQ(found(world.real_steps("d0/x.so")), found(world.predicted_steps("d0/x.so"))) << "seed " << seed;
    }
    loads += real.loads ? 1 : 0;
  }
  // Both outcomes occur often enough.
  EXPECT_GT(loads, worlds / 5);
  EXPECT_LT(loads, worlds * 4 / 5);
}

}  // namespace
}  // namespace wheelcheck::oracle
