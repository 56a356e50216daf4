// Prints what `tell` says of wheels, or of a directory of .py files in which every .so stands for an extension module
// or, if its name starts with lib, for a library: `path <TAB> flags in hex <TAB> certain|maybe <TAB> who sets the
// flags`.
//
//   print_load_plan [--light] [--possible] [--import MODULE]... WHEEL...
//   print_load_plan [--light] [--possible] [--import MODULE]... --tree DIR
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/import_plan/plan_support.h"
#include "tests/import_plan/support.h"
#include "wheelcheck/wheelcheck.h"

namespace {

using namespace wheelcheck;
namespace fs = std::filesystem;

WheelFacts tree(const fs::path& top, bool all) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(top))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<test::Source> sources;
  test::WheelBuilder builder("tree-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  for (const fs::path& path : paths) {
    const std::string name = fs::relative(path, top).string();
    if (name.ends_with(".py")) {
      std::ifstream in(path, std::ios::binary);
      sources.push_back({name, std::string(std::istreambuf_iterator<char>(in), {})});
    } else if (path.filename().string().starts_with("lib")) {
      builder.elf(test::ElfBuilder(name).role(PlainLibrary{}));
    } else if (name.ends_with(".so")) {
      std::string module = name.substr(0, name.find('.'));
      std::ranges::replace(module, '/', '.');
      builder.elf(test::ElfBuilder(name).role(ExtensionModule{module, 3}));
    }
  }
  return test::with_python(builder, sources, all).build();
}

std::uint32_t bits_of(const process::Open& open) {
  const process::OpenFlags& flags = open.flags;
  return (flags.lazy ? 1U : 2U) | (flags.noload ? 4U : 0U) | (flags.deepbind ? 8U : 0U) | (flags.global ? 0x100U : 0U) |
         (flags.nodelete ? 0x1000U : 0U);
}

void print(const Installation& in, const LoadPlan& load_plan) {
  for (std::size_t s = 0; s < load_plan.opens.size(); ++s) {
    for (std::size_t i = 0; i < load_plan.opens[s].size(); ++i) {
      const PlannedOpen& planned = load_plan.opens[s][i];
      std::string source = "-";
      if (planned.flags && planned.flags->file) {
        const FlagSource& by = *planned.flags;
        source = fmt::format("{}:{} {} {}",
                             in.distributions[by.distribution.value].facts.members[by.file->value].path.text(), by.line,
                             name_of(by.reach), by.text);
      }
      fmt::print("{}\t{:#x}\t{}\t{}\n", in.names[planned.object->value], bits_of(load_plan.plan.steps[s].opens[i]),
                 planned.maybe ? "maybe" : "certain", source);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  LoadPlanOptions options{.order = ImportOrder::Given, .stdlib = false};
  Limits limits{.imports = true};
  std::vector<WheelFacts> wheels;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--light") {
      limits.imports = false;
    } else if (word == "--possible") {
      options.possible = true;
    } else if (word == "--import" && i + 1 < argc) {
      options.imports.emplace_back(argv[++i]);
    } else if (word == "--tree" && i + 1 < argc) {
      wheels.push_back(tree(argv[++i], limits.imports));
    } else {
      auto wheel = read(std::string(word), limits, 1);
      if (!wheel) {
        fmt::print(stderr, "{}\n", wheel.error().message);
        return 3;
      }
      wheels.push_back(std::move(*wheel));
    }
  }
  const Installation in = test::install_facts(std::move(wheels), {"_ctypes"}, "311",
                                              [](const WheelFacts& wheel) { return resolve(wheel, {}, {}); });
  const auto load_plans = plan_imports(in, options);
  if (!load_plans) {
    fmt::print(stderr, "{}\n", load_plans.error().message);
    return 2;
  }
  for (const LoadPlan& load_plan : *load_plans) print(in, load_plan);
}
