// An input that is no wheel, in one line.
#pragma once

#include <string>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The error's own message, with the input's name in front where the message does not say it. Escaped.
std::string unreadable_text(const Unreadable& unreadable);
// The same for documents that must not depend on where the file lies: the path's last part only.
std::string unreadable_message(const Unreadable& unreadable);
// That, with the input's name in front where it does not say it.
std::string unreadable_sentence(const Unreadable& unreadable);

// An error with unreadable_text as its message.
Error named(const std::string& path, Error error);

}  // namespace wheelcheck::report
