// RECORD (PEP 376, 427): the wheel's own list of its files, with a hash and a size for each. Installers do not check it
// against the archive, so it is compared here, row by row and member by member.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha2.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// Rows in file order; what is no row of three fields is a flaw and left out. Error OverLimit if there are more rows
// than a wheel may have members.
Result<std::vector<RecordRow>> parse_record(std::string_view text, MemberIndex member, std::string_view path,
                                            const Limits& limits, std::vector<WheelFlaw>& flaws);

// A member's digest in lower-case hex, by reading it once more; "": it is not known.
using DigestOf = std::function<std::string(MemberIndex, Digest)>;

// `members` by path, each with its SHA-256; `record_path` is where RECORD itself stands; `digest_of` is asked for what
// a row gives by SHA-384 or SHA-512. Flaws come by row, then the members that no row names.
void compare_record(const std::vector<RecordRow>& rows, std::span<const MemberFacts> members,
                    std::string_view record_path, const DigestOf& digest_of, std::vector<WheelFlaw>& flaws);

// A digest in lower-case hex -> as RECORD writes it: URL-safe base64 without padding (RFC 4648, 5).
std::string record_digest(std::string_view hex);

}  // namespace wheelcheck::wheel
