// The words for the enumerations of a comparison, which the rooms that make one and show one share.
#include "wheelcheck/diff.h"

namespace wheelcheck {

std::string_view name_of(MatchedBy by) {
  switch (by) {
    case MatchedBy::None:
      return "none";
    case MatchedBy::Path:
      return "path";
    case MatchedBy::Release:
      return "release";
    case MatchedBy::Content:
      return "content";
    case MatchedBy::Name:
      return "name";
    case MatchedBy::Soname:
      return "soname";
    case MatchedBy::Library:
      return "library";
    case MatchedBy::Directory:
      return "directory";
  }
  return "";
}

std::string_view name_of(Course course) {
  switch (course) {
    case Course::Same:
      return "same";
    case Course::Raised:
      return "raised";
    case Course::Lowered:
      return "lowered";
    case Course::Added:
      return "added";
    case Course::Removed:
      return "removed";
  }
  return "";
}

std::string_view name_of(SymbolGroup::Kind kind) {
  switch (kind) {
    case SymbolGroup::Kind::Namespace:
      return "namespace";
    case SymbolGroup::Kind::Library:
      return "library";
    case SymbolGroup::Kind::Python:
      return "python";
    case SymbolGroup::Kind::Platform:
      return "platform";
    case SymbolGroup::Kind::C:
      return "c";
    case SymbolGroup::Kind::Rust:
      return "rust";
  }
  return "";
}

std::string_view name_of(FindingCourse course) {
  switch (course) {
    case FindingCourse::New:
      return "new";
    case FindingCourse::Worse:
      return "worse";
    case FindingCourse::Milder:
      return "milder";
    case FindingCourse::Fixed:
      return "fixed";
  }
  return "";
}

}  // namespace wheelcheck
