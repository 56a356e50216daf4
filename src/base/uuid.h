// UUIDs that follow from a text: the same text, the same UUID, on every machine.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck {

// Version 5 (RFC 9562, 5.5) in the namespace of URLs.
std::string uuid5(std::string_view name);

}  // namespace wheelcheck
