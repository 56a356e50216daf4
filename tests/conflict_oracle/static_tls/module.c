/* An extension module with an initial-exec TLS variable, which needs space in the static TLS block. */
#include "module.h"

static __thread char area[BYTES] __attribute__((aligned(16), tls_model("initial-exec")));

NUMBER(touch, ++area[0])
MODULE(_area, METHOD(touch))
