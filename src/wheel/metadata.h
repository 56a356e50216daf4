// Reads the two files of *.dist-info that have the format of mail headers: WHEEL (PEP 427) and METADATA (core
// metadata). Missing and invalid fields become flaws; the valid ones are returned.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

struct Header {
  std::string key;             // lower case
  std::string_view written;    // the key as it is in the text
  std::string value;           // continuation lines joined by '\n', without leading and trailing blanks
  bool ends_in_blank = false;  // in the text
};
struct Headers {
  std::deque<Header> fields;  // in file order; a vector of millions would be there twice while it grows
  std::size_t end = 0;        // bytes of the text that they take
  std::size_t bad_line = 0;   // the first line, from 1, that is no header and ended the reading; 0 if there is none
};
// Parses the lines up to the first empty one. A line that starts with a blank continues the previous one (RFC 822,
// section 3.1.1).
Headers parse_headers(std::string_view text);
// Two bytes of a version or a requirement become 32 when they are parsed. So the fields of METADATA that are parsed
// have at most 1 MiB together; of 3,500 distributions, the one with most has 16 kB. Removes what is beyond, and returns
// whether there was any.
bool limit_values(Headers& headers);

// `member` is the file's index in WheelFacts::members, for the flaws.
WheelFile parse_wheel_file(std::string_view text, MemberIndex member, std::string_view path,
                           std::vector<WheelFlaw>& flaws);
Metadata parse_metadata(std::string_view text, MemberIndex member, std::string_view path,
                        std::vector<WheelFlaw>& flaws);

// Name and Version must match the file name, regardless of spelling, and Requires-Python must not exclude every Python
// of its tags.
void compare_metadata(const Metadata& metadata, const WheelName& name, MemberIndex member, std::string_view path,
                      std::vector<WheelFlaw>& flaws);

// The rules of the core metadata specification that `packaging` and package indexes enforce.

// One clause for each violated rule, in the order of the fields: "License-Expression needs Metadata-Version 2.4, the
// file says 2.1". Each combination of field and rule is reported once.
std::vector<std::string> core_metadata_problems(const Headers& headers);
// A version of the core metadata specification, or 2.0, which was withdrawn.
bool is_metadata_version(std::string_view version);

}  // namespace wheelcheck::wheel
