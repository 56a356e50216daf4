// From the files of the parties, and what the user says about them, to the opens of one process.
#include <algorithm>
#include <utility>

#include "stories/files.h"
#include "stories/wishes.h"
#include "wheelcheck/story.h"

namespace wheelcheck {
namespace stories {
namespace {

using process::ObjectIndex;
using process::Open;
using process::OpenBy;
using process::OpenFlags;

class Teller {
 public:
  Teller(const Installation& installation, const StoryOptions& options, const Wishes& wishes)
      : in_(installation), options_(options), wishes_(wishes) {
    const std::string interpreter = interpreter_tag(in_);
    for (std::uint32_t p = 0; p < in_.parties.size(); ++p) files_.push_back(files_of(in_, PartyIndex{p}, interpreter));
    for (std::uint32_t i = 0; i < in_.origins.size(); ++i)
      if (in_.origins[i].kind == Origin::Kind::Stdlib) stdlib_.push_back(ObjectIndex{i});
    std::ranges::sort(stdlib_, {}, [&](ObjectIndex i) { return std::tie(in_.origins[i.value].module, i.value); });
  }

  Story tell(std::vector<PartyIndex> order) {
    story_ = {.order = std::move(order), .plan = {.main = in_.main, .steps = {}}, .opens = {}};
    opened_.assign(in_.world.files.size(), false);
    for (const PartyIndex party : story_.order) {
      begin_step();
      open_party(party);
    }
    if (options_.stdlib) {
      begin_step();
      for (const ObjectIndex object : stdlib_)
        open(object, import_flags(), {.module = in_.origins[object.value].module, .maybe = true});
    }
    return std::move(story_);
  }

 private:
  void begin_step() {
    story_.plan.steps.emplace_back();
    story_.opens.emplace_back();
  }

  void open_party(PartyIndex party) {
    const PartyFiles& files = files_[party.value];
    const auto is_opened_anyway = [&](ElfIndex elf) {
      return std::ranges::find(files.modules, elf, &Module::elf) != files.modules.end() ||
             std::ranges::find(files.loose, elf) != files.loose.end();
    };
    // Dependencies that the user wants global are opened first, as a preload is; modules and loose libraries get the
    // flags where they are opened anyway.
    const auto& globals = wishes_.globals(party);
    if (std::ranges::none_of(globals, is_opened_anyway, [](const auto& wish) { return wish.first; }))
      for (const auto& [elf, source] : globals) open_library(party, elf, false);
    for (const Module& module : files.modules) {
      const ObjectIndex object = *in_.objects[party.value][module.elf.value];
      PlannedOpen planned{.party = party, .module = module.name, .flags = wishes_.every_import()};
      OpenFlags flags = import_flags();
      if (const FlagSource* const source = wishes_.global(party, module.elf)) {
        flags.global = true;
        planned.flags = *source;
      }
      open(object, flags, std::move(planned));
    }
    for (const ElfIndex elf : files.loose) open_library(party, elf, true);
  }

  void open_library(PartyIndex party, ElfIndex elf, bool maybe) {
    PlannedOpen planned{.party = party, .module = "", .maybe = maybe};
    OpenFlags flags;
    if (const FlagSource* const source = wishes_.global(party, elf)) {
      flags.global = true;
      planned.flags = *source;
    }
    open(*in_.objects[party.value][elf.value], flags, std::move(planned));
  }

  OpenFlags import_flags() const { return flags_of_bits(wishes_.import_bits()); }

  // Once a process: a second open finds the file loaded.
  void open(ObjectIndex object, OpenFlags flags, PlannedOpen planned) {
    if (opened_[object.value]) return;
    opened_[object.value] = true;
    planned.object = object;
    const OpenBy by = planned.module.empty() ? OpenBy::Dlopen : OpenBy::Import;
    story_.plan.steps.back().opens.push_back({.name = in_.world.files[object.value].path, .flags = flags, .by = by});
    story_.opens.back().push_back(std::move(planned));
  }

  const Installation& in_;
  const StoryOptions& options_;
  const Wishes& wishes_;
  std::vector<PartyFiles> files_;  // by party
  std::vector<ObjectIndex> stdlib_;
  std::vector<bool> opened_;  // by object
  Story story_;
};

}  // namespace
}  // namespace stories

Result<std::vector<Story>> tell(const Installation& installation, const StoryOptions& options) {
  const Result<stories::Wishes> wishes = stories::Wishes::read(installation, options);
  if (!wishes) return std::unexpected(wishes.error());
  std::vector<PartyIndex> order;
  for (std::uint32_t p = 0; p < installation.parties.size(); ++p) order.push_back(PartyIndex{p});
  stories::Teller teller(installation, options, *wishes);
  const ImportOrder wanted = options.order.value_or(order.size() == 2 ? ImportOrder::Both : ImportOrder::Given);
  std::vector<Story> result = {teller.tell(order)};
  if (wanted == ImportOrder::Both && order.size() > 1) {
    std::ranges::reverse(order);
    result.push_back(teller.tell(order));
  }
  return result;
}

}  // namespace wheelcheck
