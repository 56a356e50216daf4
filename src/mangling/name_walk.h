// Splits a mangled C++ name into parts, so that letters inside an identifier are not taken for an abbreviation and
// digits of a literal not for the length of an identifier. Parts that it does not recognize are skipped.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace wheelcheck {

enum class NamePart {
  Name,          // <source-name>: text is the identifier
  Tag,           // <abi-tag>: text is the identifier
  Abbreviation,  // St Sa Ss Sb Si So Sd: text is both letters
  Open,          // start of a nested name, template arguments, an expression ...: text is one letter
  Close,         // E
  Other,
  End,
};

class NameWalk {
 public:
  explicit NameWalk(std::string_view symbol);  // symbol must start with "_Z"

  NamePart next();
  std::string_view text() const { return text_; }  // of the last part
  std::size_t at() const { return at_; }           // offset after the last part
  std::size_t depth() const { return depth_; }     // number of open parts
  bool in_std() const { return in_std_; }          // the last part directly follows St

 private:
  static constexpr std::size_t deepest = 256;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < name_.size() ? name_[at_ + ahead] : '\0'; }
  char top() const { return depth_ == 0 ? '\0' : open_[depth_ - 1]; }
  std::string_view take(std::size_t count);
  void skip_digits();
  void skip_number();  // [n] digits _
  void skip_prefix();
  NamePart end();
  NamePart open(char kind, std::size_t letters);
  NamePart close();
  NamePart digits();
  NamePart name(NamePart kind);
  NamePart substitution();
  NamePart literal();
  NamePart capital();
  NamePart small();
  NamePart other(std::size_t letters);
  bool is_operator_place() const;

  std::string_view name_, text_;
  std::size_t at_ = 0, depth_ = 0;
  // N nested, I arguments, X expression, L literal, Z local, U closure, F function. Elements are written before they
  // are read.
  std::array<char, deepest> open_;
  bool in_std_ = false, after_std_ = false;
  bool typed_ = false;       // the type of the current literal is complete: digits are its value
  bool fresh_ = true;        // an encoding starts here
  bool conversion_ = false;  // after `cv`, a type is at the place of an operator
  bool offset_ = false;      // construction vtable: a number follows the first type
};

}  // namespace wheelcheck
