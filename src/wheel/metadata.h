// The two files of *.dist-info that are written like mail headers: WHEEL (PEP 427) and METADATA (core metadata).
// What they lack or get wrong becomes a flaw; what can be read is read.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct Header {
  std::string key;    // lower case
  std::string value;  // continuation lines joined by '\n', blanks at both ends taken off
};
struct Headers {
  std::deque<Header> fields;  // in file order; a vector of millions would be there twice while it grows
  std::size_t end = 0;        // bytes of the text that they take
  std::size_t bad_line = 0;   // the first line, from 1, that is no header and ended the reading; 0 if there is none
};
// The lines up to the first empty one. A line that starts with a blank continues the one before it (RFC 822 3.1.1).
Headers parse_headers(std::string_view text);

// `member` is where the file stands in WheelFacts::members, for the flaws.
WheelFile parse_wheel_file(std::string_view text, MemberIndex member, std::string_view path,
                           std::vector<WheelFlaw>& flaws);
Metadata parse_metadata(std::string_view text, MemberIndex member, std::string_view path,
                        std::vector<WheelFlaw>& flaws);

// Name and Version must be those of the file name, however they are spelled, and Requires-Python must not exclude every
// Python of its tags.
void compare_metadata(const Metadata& metadata, const WheelName& name, MemberIndex member, std::string_view path,
                      std::vector<WheelFlaw>& flaws);

// The rules of the core metadata specification that `packaging` and package indexes enforce.

// One clause for each rule that the fields break, in their order: "License-Expression needs Metadata-Version 2.4, the
// file says 2.1". Each field is reported once for each rule.
std::vector<std::string> core_metadata_problems(const Headers& headers);

}  // namespace wheelcheck::wheel
