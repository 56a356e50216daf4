// The version nodes that files ask of the platform at the most, before and now.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "diff/internal.h"
#include "model/highest_version.h"

namespace wheelcheck::diff {
namespace {

using Floors = std::map<std::string_view, Floor, NaturalLess>;

std::vector<Floors> floors_by_elf(const WheelReport& wheel) {
  std::vector<Floors> out;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i)
    out.push_back(is_host_code(wheel.facts.elfs[i]) ? floors_of(wheel, ElfIndex{i}) : Floors{});
  return out;
}

Course course_of(std::string_view old, std::string_view now) {
  if (old == now) return Course::Same;
  if (old.empty()) return Course::Added;
  if (now.empty()) return Course::Removed;
  return natural_order(old, now) < 0 ? Course::Raised : Course::Lowered;
}

// Raised before added before lowered before removed; what more files do first.
bool is_graver_floor_change(const FloorChange& a, const FloorChange& b) {
  const auto rank = [](Course course) {
    return course == Course::Raised ? 0 : course == Course::Added ? 1 : course == Course::Lowered ? 2 : 3;
  };
  if (rank(a.course) != rank(b.course)) return rank(a.course) < rank(b.course);
  if (const auto order = natural_order(a.family, b.family); order != 0) return order < 0;
  if (const auto order = natural_order(b.node.now, a.node.now); order != 0) return order < 0;
  return natural_order(a.node.old, b.node.old) < 0;
}

// The highest of each family, who asks, and where.
struct Top {
  std::string_view node;
  std::set<std::string_view> symbols;
  std::set<std::string> files;
};
std::map<std::string_view, Top> top_of(const WheelReport& wheel) {
  std::map<std::string_view, Top> out;
  const std::vector<Floors> all = floors_by_elf(wheel);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    for (const auto& [family, floor] : all[i]) {
      Top& top = out[family];
      const auto order = top.node.empty() ? std::strong_ordering::greater : natural_order(floor.node, top.node);
      if (order < 0) continue;
      if (order > 0) top = {.node = floor.node, .symbols = {}, .files = {}};
      top.symbols.insert(floor.symbols.begin(), floor.symbols.end());
      top.files.insert(path_of(wheel, ElfIndex{i}));
    }
  }
  return out;
}

template <class Map>
std::set<std::string_view> keys(const Map& a, const Map& b) {
  std::set<std::string_view> out;
  for (const auto& [key, value] : a) out.insert(key);
  for (const auto& [key, value] : b) out.insert(key);
  return out;
}

template <class Map>
auto value_of(const Map& map, std::string_view key) {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

bool asks_more(Course course) { return course == Course::Raised || course == Course::Added; }

}  // namespace

std::vector<FloorChange> compare_wheel_floors(const Releases& both) {
  const auto old = top_of(both.old), now = top_of(both.now);
  std::vector<FloorChange> out;
  for (const std::string_view family : keys(old, now)) {
    const Top was = value_of(old, family), is = value_of(now, family);
    const Course course = course_of(was.node, is.node);
    if (course == Course::Same) continue;
    const Top& higher = asks_more(course) ? is : was;
    out.push_back({.family = std::string(family),
                   .node = {std::string(was.node), std::string(is.node)},
                   .course = course,
                   .symbols = {higher.symbols.begin(), higher.symbols.end()},
                   .files = {higher.files.begin(), higher.files.end()}});
  }
  std::ranges::stable_sort(out, is_graver_floor_change);
  return out;
}

std::vector<FloorChange> compare_file_floors(const Releases& both) {
  const std::vector<Floors> old = floors_by_elf(both.old), now = floors_by_elf(both.now);
  struct Group {
    std::set<std::string_view> symbols;
    std::set<std::string> files;
  };
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, Group> groups;
  for (const ElfPair& pair : both.elfs) {
    if (!pair.old || !pair.now) continue;
    const Floors &was = old[pair.old->value], &is = now[pair.now->value];
    for (const std::string_view family : keys(was, is)) {
      const Floor before_it = value_of(was, family), after = value_of(is, family);
      const Course course = course_of(before_it.node, after.node);
      if (course == Course::Same) continue;
      Group& group = groups[{family, before_it.node, after.node}];
      const Floor& higher = asks_more(course) ? after : before_it;
      group.symbols.insert(higher.symbols.begin(), higher.symbols.end());
      group.files.insert(path_of(both, pair));
    }
  }
  std::vector<FloorChange> out;
  for (const auto& [key, group] : groups) {
    const auto& [family, was, is] = key;
    out.push_back({.family = std::string(family),
                   .node = {std::string(was), std::string(is)},
                   .course = course_of(was, is),
                   .symbols = {group.symbols.begin(), group.symbols.end()},
                   .files = {group.files.begin(), group.files.end()}});
  }
  std::ranges::stable_sort(out, is_graver_floor_change);
  return out;
}

}  // namespace wheelcheck::diff
