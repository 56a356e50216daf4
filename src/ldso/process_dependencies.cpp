// The dependencies of a file, breadth first, and the two orders that follow from them: the searchlist for symbol
// look-up, and the sorted list, which is relocated from its end.
#include <algorithm>
#include <utility>

#include "ldso/process_maps.h"

namespace wheelcheck::resolver {
namespace {

constexpr std::uint32_t list_end = UINT32_MAX;

}  // namespace

// elf/dl-deps.c. A linked list, because filtees are inserted before their filter.
class Maps::Breadth {
 public:
  Breadth(Maps& maps, ObjectIndex root, const Request& how)
      : maps_(maps), root_(root), how_(how), listed_(maps.maps_.size()) {
    append(root);
  }

  void append(ObjectIndex object) {
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    if (!nodes_.empty()) nodes_[tail_].next = fresh;
    nodes_.push_back({object, false, list_end});
    listed_[object.value] = true;
    tail_ = fresh;
  }

  Loaded<void> run() {
    for (std::uint32_t at = 0; at != list_end && !runs_in_circles_;) {
      if (auto taken = take_in(at); !taken) return taken;
      while (at != list_end && nodes_[at].done) at = nodes_[at].next;
    }
    return runs_in_circles_ ? std::unexpected(in_circles()) : Loaded<void>{};
  }

  std::vector<ObjectIndex> list() const {
    std::vector<ObjectIndex> out;
    for (std::uint32_t at = 0; at != list_end; at = nodes_[at].next) out.push_back(nodes_[at].object);
    return out;
  }

 private:
  struct Node {
    ObjectIndex object;
    bool done = false;
    std::uint32_t next = list_end;
  };

  Loaded<void> take_in(std::uint32_t node) {
    nodes_[node].done = true;
    const ObjectIndex user = nodes_[node].object;
    const DynamicFacts* const facts = maps_.dynamic(user);
    std::vector<ObjectIndex> needed{user};
    const std::string origin = maps_.origin(user);
    const Request how{.kind = how_.kind, .deepbind = how_.deepbind};
    const auto ask = [&](std::string_view name) { return maps_.request(user, maps_.files_.expand(name, origin), how); };
    if (facts != nullptr) {
      for (const std::string_view name : facts->needed) {
        const auto found = ask(name);
        if (!found) return std::unexpected(found.error());
        if (!listed_[(*found)->value]) append(**found);
        needed.push_back(**found);
      }
      std::uint32_t insert_at = node;
      for (const std::string_view name : facts->filters) {
        const auto found = ask(name);
        if (!found) return std::unexpected(found.error());
        put_before(insert_at, **found, user);
        needed.push_back(**found);
      }
      for (const std::string_view name : facts->auxiliaries)
        if (const auto found = ask(name)) {
          put_before(insert_at, **found, user);
          needed.push_back(**found);
        }
    }
    Map& map = maps_[user];
    if (!map.searchlist && map.dependencies.empty() && user != root_) map.dependencies = std::move(needed);
    return {};
  }

  // Two files that filter each other are moved forever. ld.so uses stack for each move, until the stack is exhausted.
  static LoadError in_circles() {
    return {"Segmentation fault: files that filter each other (DT_FILTER, DT_AUXILIARY) exhaust the stack of ld.so",
            true};
  }

  // The filtee takes the node of the filter, and the filter gets a new node after it. A filtee that is later in the
  // list is moved here, also in ld.so's list, and is processed again. One that is earlier stays. A filtee that was
  // already processed can be later only because it led to this filter: a cycle.
  void put_before(std::uint32_t& insert_at, ObjectIndex filtee, ObjectIndex filter) {
    if (listed_[filtee.value]) {
      std::uint32_t before = insert_at;
      while (nodes_[before].next != list_end && nodes_[nodes_[before].next].object != filtee)
        before = nodes_[before].next, maps_.files_.work().spend(1);
      const std::uint32_t late = nodes_[before].next;
      if (late == list_end) return;
      if (nodes_[late].done) runs_in_circles_ = true;
      if (tail_ == late) tail_ = before;
      nodes_[before].next = nodes_[late].next;
    }
    listed_[filtee.value] = true;
    const auto fresh = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(nodes_[insert_at]);
    nodes_[insert_at] = {filtee, false, fresh};
    if (tail_ == insert_at) tail_ = fresh;
    insert_at = fresh;
    maps_.move_before(filtee, filter);
  }

  Maps& maps_;
  ObjectIndex root_;
  const Request& how_;
  std::vector<bool> listed_;
  std::vector<Node> nodes_;
  std::uint32_t tail_ = 0;
  bool runs_in_circles_ = false;
};

Loaded<void> Maps::request_dependencies(ObjectIndex root, std::span<const ObjectIndex> preloaded, const Request& how) {
  Breadth breadth(*this, root, how);
  for (const ObjectIndex object : preloaded) breadth.append(object);
  auto done = breadth.run();
  if (!done && done.error().fatal) return done;
  std::vector<ObjectIndex> list = breadth.list();
  std::vector<ObjectIndex> sorted = list;
  // For its memory, which is quadratic in the number of files in the worst case.
  constexpr std::uint64_t steps_an_entry = 16;
  files_.work().spend(list.size() * steps_an_entry);
  const auto put_root_first = [&] {
    const auto at = std::ranges::find(sorted, root);
    std::rotate(sorted.begin(), at, at + 1);
  };
  put_root_first();  // before its filtees
  Map& map = maps_[root.value];
  map.searchlist = std::move(list);
  if (files_.platform().glibc >= process::Glibc{2, 35})
    sort_depth_first(*this, sorted);
  else
    sort_as_before_2_35(*this, std::span(sorted).subspan(1));
  put_root_first();  // also if a cycle leads back to it (glibc bug 28937, fixed in 2.37 and in the branches before)
  map.dependencies = std::move(sorted);
  return done;
}

// Depth first from the last to the first; each file is placed before those placed so far. The program is never entered
// as a dependency. The stack is explicit, because a malicious chain can be arbitrarily long.
void sort_depth_first(const Maps& maps, std::vector<ObjectIndex>& objects) {
  struct Frame {
    ObjectIndex object;
    std::size_t next = 0;
  };
  std::vector<bool> visited(maps.files().size(), true);
  for (const ObjectIndex object : objects) visited[object.value] = false;
  std::vector<ObjectIndex> reversed;
  std::vector<Frame> stack;
  for (auto top = objects.rbegin(); top != objects.rend(); ++top) {
    if (visited[top->value]) continue;
    visited[top->value] = true;
    stack.push_back({*top});
    while (!stack.empty()) {
      const auto& needed = maps[stack.back().object].dependencies;
      if (stack.back().next == needed.size()) {
        reversed.push_back(stack.back().object);
        stack.pop_back();
        continue;
      }
      const ObjectIndex next = needed[stack.back().next++];
      if (visited[next.value] || next == maps.program()) continue;
      visited[next.value] = true;
      stack.push_back({next});
    }
  }
  std::ranges::reverse(reversed);
  objects = std::move(reversed);
}

// Moves each file behind the last one that needs it, until nothing moves; `seen` stops cycles. The cost is cubic, so at
// a list that is longer than any real one the model gives up.
void sort_as_before_2_35(const Maps& maps, std::span<ObjectIndex> objects) {
  constexpr std::size_t longest = 2000;
  const std::size_t count = objects.size();
  if (count > longest) maps.files().work().spend(maps.files().work().steps());
  if (count <= 1 || count > longest) return;
  const auto needs = [&](ObjectIndex user, ObjectIndex object) {
    const auto& needed = maps[user].dependencies;
    maps.files().work().spend(1 + needed.size());
    return std::ranges::find(needed, object) != needed.end();
  };
  std::vector<std::uint16_t> seen(count);
  for (std::size_t i = 0; i < count && !maps.files().work().is_spent();) {
    ++seen[i];
    const ObjectIndex moved = objects[i];
    std::size_t k = count - 1;
    while (k > i && !needs(objects[k], moved)) --k;
    if (k == i) {
      if (++i < count) std::fill(seen.begin() + static_cast<std::ptrdiff_t>(i), seen.end(), 0);
      continue;
    }
    const auto at = [&](auto& list, std::size_t place) { return list.begin() + static_cast<std::ptrdiff_t>(place); };
    std::rotate(at(objects, i), at(objects, i) + 1, at(objects, k) + 1);
    if (seen[i + 1] > count - i) {
      ++i;
      std::fill(at(seen, i), seen.end(), 0);
    } else {
      std::rotate(at(seen, i), at(seen, i) + 1, at(seen, k) + 1);
    }
  }
}

}  // namespace wheelcheck::resolver
