// What the processor has, as far as the system lets programs use it: of x86-64, else nothing.
#pragma once

namespace wheelcheck::cpu {

bool has_avx2();

}  // namespace wheelcheck::cpu
