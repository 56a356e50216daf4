// CPU features that the operating system lets programs use. Only x86-64 features are detected; on other CPUs all
// functions return false.
#pragma once

namespace wheelcheck::cpu {

bool has_avx2();

}  // namespace wheelcheck::cpu
