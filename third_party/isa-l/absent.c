/* Not of ISA-L: what isal_inflate() names and never reaches where it reads raw deflate, as a ZIP archive holds it. */
#include <stdint.h>
#include <stdlib.h>

#include "crc.h"
#include "igzip_checksums.h"
#include "igzip_lib.h"

/* The header of ISA-L's own compressor, which its reader knows by heart: one so long is in no stream. */
struct isal_hufftables hufftables_default = {.deflate_hdr_count = UINT32_MAX};

/* Asked for with crc_flag other than ISAL_DEFLATE: gzip's and zlib's sums and headers. */
uint32_t crc32_gzip_refl(uint32_t init_crc, const unsigned char* buf, uint64_t len) {
  (void)init_crc, (void)buf, (void)len;
  abort();
}
uint32_t isal_adler32_bam1(uint32_t init, const unsigned char* buf, uint64_t len) {
  (void)init, (void)buf, (void)len;
  abort();
}
void isal_gzip_header_init(struct isal_gzip_header* gz_hdr) {
  (void)gz_hdr;
  abort();
}
void isal_zlib_header_init(struct isal_zlib_header* z_hdr) {
  (void)z_hdr;
  abort();
}
