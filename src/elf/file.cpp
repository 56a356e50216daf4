#include "elf/file.h"

#include <algorithm>

#include "elf/page_filter.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint64_t window = std::uint64_t{1} << 20;  // bytes that are fetched at once to be searched

}  // namespace

void File::walk(FileRange table, std::uint64_t record,
                const std::function<void(std::span<const std::byte>)>& visit) const {
  const std::uint64_t piece = pages_ == nullptr ? table.end - table.begin : window / record * record;
  for (std::uint64_t at = table.begin; at < table.end;) {
    const std::uint64_t end = at + std::min(piece, table.end - at);
    visit(bytes(at, end - at));
    done({at, end});
    at = end;
  }
}

void File::search(FileRange range, std::uint64_t margin, Search what,
                  const std::function<std::uint64_t(FileRange part)>& visit) const {
  if (range.begin >= range.end) return;
  if (pages_ == nullptr) return static_cast<void>(visit(range));
  const auto around = [&](FileRange part) {
    return FileRange{std::max(range.begin, part.begin - std::min(margin, part.begin)),
                     std::min(range.end, part.end + margin)};
  };
  const auto holds_nothing = [&](std::uint64_t at) {
    return what == Search::Marks && !pages_->has(at) && sieve_->looked(at);
  };
  for (std::uint64_t at = range.begin; at < range.end;) {
    const std::uint64_t same = pages_->same_until(at, range.end);
    if (holds_nothing(at)) {
      at = sieve_->same_until(at, same);
      continue;
    }
    const bool there = pages_->has(at);
    const FileRange part{at, there ? same : std::min(at + window, sieve_->same_until(at, same))}, near = around(part);
    // What a sieve let go beside a page that it kept is nothing that a mark in this page is part of.
    if (near.begin < part.begin && !holds_nothing(near.begin)) pages_->need(near.begin, part.begin);
    if (near.end > part.end && !holds_nothing(near.end - 1)) pages_->need(part.end, near.end);
    pages_->need(part.begin, part.end);
    at = std::max(part.end, visit(part));
    if (!there) pages_->drop(part.begin, part.end);
  }
}

}  // namespace wheelcheck::elf
