// `wheelcheck --version --verbose`: what was done for the safety of whoever runs this program on wheels of strangers.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::cli {

std::string about();

// Written by the build (cmake/About.cmake).
extern const std::string_view library_versions, compiler_flags;
extern const std::string_view rule_pages;  // address of the pages of docs/rules; empty while there is none

}  // namespace wheelcheck::cli
