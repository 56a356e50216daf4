// What the processor has, as far as the system lets programs use it: of x86-64, else nothing.
#pragma once

namespace wheelcheck::cpu {

bool has_avx2();
// AVX-512 with what came along on servers: F, VL, BW and DQ.
bool has_avx512();
// VPCLMULQDQ: carry-less products of several lanes at once.
bool has_wide_products();

}  // namespace wheelcheck::cpu
