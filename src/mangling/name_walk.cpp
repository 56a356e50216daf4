#include "mangling/name_walk.h"

#include "base/text.h"

namespace wheelcheck {

NameWalk::NameWalk(std::string_view symbol) : name_(symbol), at_(2) {
  // Suffixes that the compiler adds (".constprop.0") are not part of the name.
  if (const std::size_t dot = name_.find('.'); dot != name_.npos) name_ = name_.substr(0, dot);
  skip_prefix();
}

std::string_view NameWalk::take(std::size_t count) {
  text_ = name_.substr(at_, count);
  at_ += text_.size();
  return text_;
}
void NameWalk::skip_digits() {
  while (is_digit(peek())) ++at_;
}
void NameWalk::skip_number() {
  if (peek() == 'n') ++at_;
  skip_digits();
  if (peek() == '_') ++at_;
}

// Skips the prefix of a <special-name> (5.1.4); the name of its entity follows.
void NameWalk::skip_prefix() {
  if (peek() == 'T') {
    const char kind = peek(1);
    at_ += 2;
    offset_ = kind == 'C';
    if (kind == 'h') skip_number();
    if (kind == 'v') {
      skip_number();
      skip_number();
    }
    for (int offsets = kind == 'c' ? 2 : 0; offsets > 0; --offsets) {
      const bool two = peek() == 'v';
      ++at_;
      skip_number();
      if (two) skip_number();
    }
  } else if (peek() == 'G') {
    at_ += peek(1) == 'T' ? 3 : 2;  // GV guard, GR temporary, GTt transaction clone
  }
  if (at_ > name_.size()) at_ = name_.size();
}

NamePart NameWalk::end() {
  at_ = name_.size();
  text_ = {};
  return NamePart::End;
}
NamePart NameWalk::other(std::size_t letters) {
  take(letters);
  return NamePart::Other;
}
NamePart NameWalk::open(char kind, std::size_t letters) {
  if (depth_ == deepest) return end();
  take(letters);
  open_[depth_++] = kind;
  typed_ = false;
  conversion_ = false;
  return NamePart::Open;
}
NamePart NameWalk::close() {
  take(1);
  const char closed = top();
  if (depth_ > 0) --depth_;
  if (closed == 'U') skip_number();  // the number of the closure
  typed_ = top() == 'L';
  conversion_ = false;
  fresh_ = closed == 'Z' && top() != 'I' && top() != 'J';
  return NamePart::Close;
}

NamePart NameWalk::name(NamePart kind) {
  std::size_t length = 0;
  while (is_digit(peek()) && length <= name_.size())
    length = length * 10 + static_cast<std::size_t>(name_[at_++] - '0');
  if (length == 0 || length > name_.size() - at_) return end();
  take(length);
  typed_ = top() == 'L';
  return kind;
}
NamePart NameWalk::digits() {
  const bool value = top() == 'L' && typed_;
  const bool offset = offset_ && depth_ == 0 && !fresh_;
  if (!value && !offset) return name(NamePart::Name);
  if (offset) offset_ = false;
  skip_number();
  return other(0);
}

// <substitution> (5.1.10)
NamePart NameWalk::substitution() {
  if (is_lower(peek(1))) {
    take(2);
    after_std_ = text_ == "St";
    typed_ = top() == 'L' && !after_std_;
    return NamePart::Abbreviation;
  }
  ++at_;
  while (is_digit(peek()) || is_upper(peek())) ++at_;
  typed_ = top() == 'L';
  return other(1);  // _
}

// <expr-primary> (5.1.6.4) in arguments and expressions; elsewhere L marks a name with internal linkage.
NamePart NameWalk::literal() {
  const char in = top();
  if (peek(1) == '_' && peek(2) == 'Z') {
    fresh_ = true;
    return open('Z', 3);
  }
  if (in != 'I' && in != 'J' && in != 'X') return other(1);
  if (!is_lower(peek(1)) && peek(1) != 'D') return open('L', 1);
  while (peek() != 'E' && at_ < name_.size()) ++at_;
  return other(1);
}

NamePart NameWalk::capital() {
  const char second = peek(1);
  switch (peek()) {
    case 'N':
    case 'I':
    case 'J':
    case 'X':
    case 'F':
      return open(peek(), 1);
    case 'Z':
      fresh_ = true;
      return open('Z', 1);
    case 'E':
      return close();
    case 'S':
      return substitution();
    case 'L':
      return literal();
    case 'B':
      if (!is_digit(second)) return other(1);
      ++at_;
      return name(NamePart::Tag);
    case 'T':  // <template-param>
      ++at_;
      if (peek() == 'L') ++at_;
      if (is_digit(peek()) || peek() == '_') skip_number();
      typed_ = top() == 'L';
      return other(0);
    case 'C':  // constructor, or a complex type
      return other(is_digit(second) ? 2 : 1);
    case 'A':  // array
      ++at_;
      if (is_digit(peek()) || peek() == '_') skip_number();
      return other(0);
    case 'U':
      if (second == 'l') return open('U', 2);
      if (second != 't') return other(1);
      at_ += 2;
      skip_number();
      return other(0);
    case 'D':
      if (second == 't' || second == 'T' || second == 'O' || second == 'w') return open('X', 2);
      at_ += 2;
      if (second == 'v' || second == 'F' || second == 'B' || second == 'U') skip_number();
      if (at_ > name_.size()) at_ = name_.size();
      return other(0);
    default:
      return other(1);
  }
}

// Whether two small letters are an operator here: in a nested name, in an expression, and at the start of an encoding.
// Elsewhere each letter is a type.
bool NameWalk::is_operator_place() const {
  return (top() == 'N' && !conversion_) || top() == 'X' || fresh_ || after_std_;
}
NamePart NameWalk::small() {
  if (peek() == 'r' && text_ == "N") return other(1);  // the qualifier restrict
  if (top() == 'L') typed_ = true;
  if (!is_operator_place()) return other(1);
  const std::string_view two = name_.substr(at_, 2);
  if (two == "cv") conversion_ = true;
  if (top() == 'X' && (two == "cl" || two == "il" || two == "tl")) return open('X', 2);
  if (top() == 'X' && (two == "fp" || two == "fL")) {
    while (peek() != '_' && peek() != '\0') ++at_;
    return other(1);
  }
  return other(2);
}

NamePart NameWalk::next() {
  if (at_ >= name_.size()) return end();
  const char c = peek();
  in_std_ = after_std_;
  const bool was_fresh = fresh_;
  NamePart part = NamePart::Other;
  if (is_digit(c)) {
    part = digits();
  } else if (is_upper(c)) {
    after_std_ = false;
    part = capital();
  } else if (is_lower(c)) {
    part = small();
  } else {  // a discriminator: _0 or __10_
    take(1);
    if (is_digit(peek()) || peek() == '_') {
      const bool longer = peek() == '_';
      ++at_;
      if (longer) skip_number();
    }
  }
  if (part != NamePart::Abbreviation) after_std_ = false;
  // An encoding starts once: only N, L, St or the Z of a scope may precede its name.
  const bool still = part == NamePart::Abbreviation || part == NamePart::Open || c == 'Z' || c == 'L';
  if (was_fresh && !(still && top() != 'I')) fresh_ = false;
  if (was_fresh && top() == 'N') fresh_ = false;
  return part;
}

}  // namespace wheelcheck
