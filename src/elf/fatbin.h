// Code for GPUs that a host file carries, read by the headers around it; nothing is decompressed.
#pragma once

#include <cstddef>
#include <span>

#include "elf/places.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// Where no section tells (a file without section headers), the data is searched for the magic numbers.
DeviceCode read_device_code(std::span<const std::byte> file, const Places& places, bool sections);

}  // namespace wheelcheck::elf
