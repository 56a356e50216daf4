// The interpreter of a virtual environment.
#pragma once

#include <string>

namespace wheelcheck::environment {

// The program that runs in the virtual or conda environment which contains this site-packages directory. "" if the
// directory is in no such environment, or if its bin/python is no ELF file on this machine.
std::string interpreter_of(const std::string& site_packages);

}  // namespace wheelcheck::environment
