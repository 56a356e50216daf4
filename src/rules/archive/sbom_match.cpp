#include "rules/archive/sbom_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/pattern.h"
#include "base/text.h"
#include "model/library_name.h"

namespace wheelcheck::rules {
namespace {

constexpr std::size_t shortest_word = 3;  // a shorter one is part of too many names

// The letters and digits of a name without "lib" and without the version at its end: libpng16.so.16 -> png
std::string word_of(std::string_view name) {
  std::string plain = lower(plain_library_name(base_name(name)));
  plain = plain.substr(0, plain.find(".so"));
  std::erase_if(plain, [](char c) { return !is_lower(c) && !is_digit(c) && c != '+'; });
  if (plain.starts_with("lib")) plain.erase(0, 3);
  while (plain.size() > shortest_word && is_digit(plain.back())) plain.pop_back();
  return plain;
}

// pkg:rpm/almalinux/openssl-libs@1.1.1k -> openssl-libs
std::string package_of(std::string_view purl) {
  std::string_view name = purl.substr(0, purl.find_first_of("@?#"));
  name = name.substr(name.rfind('/') + 1);
  std::string text(name);
  for (std::size_t at = text.find("%2B"); at != text.npos; at = text.find("%2B", at)) text.replace(at, 3, "+");
  return text;
}

bool is_of_a_distribution(const SbomPart& part) {
  static constexpr std::array<std::string_view, 4> kinds{"pkg:rpm/", "pkg:deb/", "pkg:apk/", "pkg:alpm/"};
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return part.purl.starts_with(kind); });
}

// auditwheel and maturin list one part for each library of a distribution's package that they copy.
bool is_of_a_repair_tool(const WheelView& view, const Sbom& sbom) {
  return sbom.tool == "auditwheel" || view.wheel.members[sbom.member.value].path.name() == "auditwheel.cdx.json";
}

class Matcher {
 public:
  explicit Matcher(const WheelView& view) : view_(view) {
    for (const Sbom& sbom : view.wheel.sboms) {
      const bool repaired = is_of_a_repair_tool(view, sbom);
      for (const SbomPart& part : sbom.parts) {
        if (part.purl.starts_with("pkg:pypi/")) continue;  // the wheel itself, or Python code
        const bool counted = repaired && is_of_a_distribution(part);
        if (counted) ++packages_;
        std::set<std::string>& words = counted ? of_packages_ : of_others_;
        for (const std::string& text : {part.name, package_of(part.purl)})
          for (const std::string_view name : split(text, '/'))
            if (std::string word = word_of(name); word.size() >= shortest_word) words.insert(std::move(word));
      }
    }
    for (const MemberFacts& member : view.wheel.members) files_.insert(member.path.name());
    for (std::uint32_t i = 0; i < view.wheel.elfs.size(); ++i) {
      const ElfMember& elf = view.wheel.elfs[i];
      names_.insert(plain_library_name(view.wheel.members[elf.member.value].path.name()));
      words_.insert(word_of(path_of(view, ElfIndex{i})));
      if (!std::holds_alternative<ExtensionModule>(elf.role)) ++libraries_;
    }
  }

  // Of the files that it lists, libraries among others, the wheel has none: it describes what is packed into another
  // file (the firmware in a library of depthai).
  bool describes_another_package(const Sbom& sbom) const {
    std::size_t others = 0;
    for (const SbomPart& part : sbom.parts) {
      if (!part.is_file) continue;
      const std::string_view file = base_name(part.name);
      if (files_.contains(file)) return false;
      others += file.contains(".so") ? 0U : 1U;
    }
    return others > 1;
  }

  void find_unnamed(SbomMatch& match) const {
    std::size_t bundled = 0, by_others = 0;
    for_each_judged(view_, [&](ElfIndex index, const ElfMember& elf) {
      if (!std::holds_alternative<BundledLibrary>(elf.role)) return;
      ++bundled;
      const std::vector<std::string> words = words_of(index);
      if (fits_any(of_packages_, words)) return;
      if (fits_any(of_others_, words))
        ++by_others;
      else
        match.unnamed.push_back(index);
    });
    const std::size_t listed = packages_ + by_others;
    match.certain = std::min(match.unnamed.size(), bundled - std::min(bundled, listed));
  }

  void find_absent(SbomMatch& match) const {
    const bool too_many = packages_ > libraries_;
    for (const Sbom& sbom : view_.wheel.sboms) {
      const bool repaired = is_of_a_repair_tool(view_, sbom);
      if (describes_another_package(sbom)) continue;
      for (const SbomPart& part : sbom.parts) {
        const std::string_view file = base_name(part.name);
        const bool library = file.ends_with(".so") || file.find(".so.") != file.npos;
        if (part.is_file && library && !names_.contains(plain_library_name(file)))
          match.absent.push_back({sbom.member, std::string(file)});
        if (repaired && too_many && is_of_a_distribution(part) && !fits_any(words_, {word_of(package_of(part.purl))}))
          match.absent.push_back({sbom.member, part.name});
      }
    }
  }

 private:
  static bool fits_any(const std::set<std::string>& known, const std::vector<std::string>& words) {
    return std::ranges::any_of(known, [&](const std::string& one) {
      return std::ranges::any_of(words, [&](const std::string& word) {
        if (word.size() < shortest_word) return one == word;
        return one.find(word) != one.npos || word.find(one) != word.npos;
      });
    });
  }

  // The word of the file name, and the name of the library that the tables know by it: openssl for libcrypto.so.3.
  std::vector<std::string> words_of(ElfIndex index) const {
    const std::string name = plain_library_name(base_name(path_of(view_, index)));
    std::vector<std::string> words{word_of(name)};
    for (const KnownLibrary& library : view_.knowledge.libraries)
      if (std::ranges::any_of(library.sonames,
                              [&](std::string_view one) { return match_pattern(one, name).has_value(); }))
        for (const std::string_view known : {library.id, library.name}) words.push_back(word_of(known));
    return words;
  }

  const WheelView& view_;
  std::set<std::string> of_packages_, of_others_;  // words of the parts
  std::set<std::string> names_, words_;            // of the wheel's files
  std::set<std::string_view> files_;               // the names of all members
  std::size_t packages_ = 0, libraries_ = 0;
};

}  // namespace

SbomMatch match_sboms(const WheelView& view) {
  SbomMatch match;
  if (view.wheel.sboms.empty()) return match;
  const Matcher matcher(view);
  matcher.find_unnamed(match);
  matcher.find_absent(match);
  return match;
}

}  // namespace wheelcheck::rules
