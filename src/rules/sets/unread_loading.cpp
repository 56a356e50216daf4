// WC236: compiled code opens libraries by names that are not constants, so they are not part of what was played.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "model/loader_calls.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::unread_loading {
namespace {

using process::ObjectIndex;

// Names in the data of the file, which it may open.
std::string names_in(const ElfFacts& facts) {
  std::set<std::string_view> names;
  for (const std::string_view text : facts.texts.libraries)
    if (const std::string_view name = base_name(text); name.starts_with("lib") && name.find(' ') == name.npos)
      names.insert(name);
  std::vector<std::string> shown(names.begin(), names.end());
  const std::size_t left = shown.size() > shown_items ? shown.size() - shown_items : 0;
  shown.resize(shown.size() - left);
  if (shown.empty()) return "its data names no library";
  return fmt::format("its data names {}{}", join(shown, ", "), left > 0 ? fmt::format(" and {} more", left) : "");
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  std::map<DistributionIndex, std::set<ObjectIndex>> files;
  for (const process::Outcome& outcome : view.conflicts.outcomes)
    for (const process::Loaded& each : outcome.loaded) {
      const Origin& origin = all.origins[each.file.value];
      const ElfFacts* const facts = all.world.files[each.file.value].facts;
      if (each.by && facts != nullptr && origin.kind == Origin::Kind::Distribution && has_unread_dlopen(*facts))
        files[origin.distribution].insert(each.file);
    }
  for (const auto& [distribution, objects] : files) {
    std::vector<Evidence> evidence;
    for (const ObjectIndex object : objects)
      if (evidence.size() < shown_items)
        evidence.push_back({std::string(file_name(all, object)), names_in(*all.world.files[object.value].facts)});
    emit({.place = AtObject{*objects.begin()},
          .message = fmt::format(
              "{} opens libraries by computed names ({}): what they open later is not part of the simulation",
              name_of(all, distribution), count_of(objects.size(), "file")),
          .evidence = std::move(evidence),
          .fix = "nothing has to be changed; --global adds a library that they open with RTLD_GLOBAL"});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC236",
    .name = "unread-loading",
    .severity = Severity::Info,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::unread_loading
