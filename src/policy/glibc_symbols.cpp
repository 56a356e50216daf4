// The symbols that each release of glibc added. The source is the list of symbols of each library in glibc
// (sysdeps/unix/sysv/linux/x86_64/64/*.abilist up to 2.43, without names that aarch64 had before). A file that imports
// one of them without a version binds to any version that exists, so only the name shows which glibc it requires.
#include "policy/glibc_symbols.h"

#include <unordered_map>

#include "base/text.h"

namespace wheelcheck::policy {
namespace {

struct Release {
  std::string_view library, version, names;  // `names` is separated by blanks
};
constexpr Release releases[] = {
    {"libc.so.6", "GLIBC_2.6",
     "__sched_cpucount epoll_pwait futimens sched_getcpu strerror_l sync_file_range utimensat"},
    {"libc.so.6", "GLIBC_2.7",
     "__fread_chk __fread_unlocked_chk __isoc99_fscanf __isoc99_fwscanf __isoc99_scanf __isoc99_sscanf "
     "__isoc99_swscanf __isoc99_vfscanf __isoc99_vfwscanf __isoc99_vscanf __isoc99_vsscanf __isoc99_vswscanf "
     "__isoc99_vwscanf __isoc99_wscanf __mq_open_2 __open64_2 __open_2 __openat64_2 __openat_2 "
     "__sched_cpualloc __sched_cpufree eventfd eventfd_read eventfd_write mkostemp mkostemp64 signalfd"},
    {"libc.so.6", "GLIBC_2.8",
     "__asprintf_chk __dprintf_chk __obstack_printf_chk __obstack_vprintf_chk __vasprintf_chk __vdprintf_chk "
     "qsort_r timerfd_create timerfd_gettime timerfd_settime"},
    {"libc.so.6", "GLIBC_2.9",
     "dup3 epoll_create1 inotify_init1 ns_datetosecs ns_format_ttl ns_get16 ns_get32 ns_initparse ns_makecanon "
     "ns_msg_getflag ns_name_compress ns_name_ntol ns_name_ntop ns_name_pack ns_name_pton ns_name_rollback "
     "ns_name_skip ns_name_uncompress ns_name_unpack ns_parse_ttl ns_parserr ns_put16 ns_put32 ns_samedomain "
     "ns_samename ns_skiprr ns_sprintrr ns_sprintrrf ns_subdomain pipe2"},
    {"libc.so.6", "GLIBC_2.10",
     "__cxa_at_quick_exit __posix_getopt accept4 endsgent fallocate fallocate64 fgetsgent fgetsgent_r getsgent "
     "getsgent_r getsgnam getsgnam_r preadv preadv64 psiginfo putsgent pwritev pwritev64 quick_exit "
     "register_printf_modifier register_printf_specifier register_printf_type setsgent sgetsgent sgetsgent_r"},
    {"libc.so.6", "GLIBC_2.11", "__longjmp_chk execvpe mkostemps mkostemps64 mkstemps mkstemps64 pthread_sigqueue"},
    {"libc.so.6", "GLIBC_2.12",
     "ntp_gettimex pthread_getname_np pthread_mutex_consistent pthread_mutexattr_getrobust "
     "pthread_mutexattr_setrobust pthread_setname_np recvmmsg"},
    {"libc.so.6", "GLIBC_2.13", "__fentry__ fanotify_init fanotify_mark prlimit prlimit64"},
    {"libc.so.6", "GLIBC_2.14", "clock_adjtime name_to_handle_at open_by_handle_at sendmmsg setns syncfs"},
    {"libc.so.6", "GLIBC_2.15", "__fdelt_chk __fdelt_warn process_vm_readv process_vm_writev scandirat scandirat64"},
    {"libc.so.6", "GLIBC_2.16",
     "__getauxval __poll_chk __ppoll_chk c16rtomb c32rtomb getauxval mbrtoc16 mbrtoc32 timespec_get"},
    {"libc.so.6", "GLIBC_2.17", "secure_getenv"},
    {"libc.so.6", "GLIBC_2.18", "__cxa_thread_atexit_impl pthread_getattr_default_np pthread_setattr_default_np"},
    {"libc.so.6", "GLIBC_2.23", "fts64_children fts64_close fts64_open fts64_read fts64_set"},
    {"libc.so.6", "GLIBC_2.25", "__explicit_bzero_chk explicit_bzero getentropy getrandom strfromd strfromf strfroml"},
    {"libc.so.6", "GLIBC_2.26",
     "__isnanf128 __strtof128_internal __wcstof128_internal preadv2 preadv64v2 pwritev2 pwritev64v2 "
     "reallocarray strfromf128 strtof128 strtof128_l wcstof128 wcstof128_l"},
    {"libc.so.6", "GLIBC_2.27",
     "copy_file_range memfd_create mlock2 pkey_alloc pkey_free pkey_get pkey_mprotect pkey_set strfromf32 "
     "strfromf32x strfromf64 strfromf64x strtof32 strtof32_l strtof32x strtof32x_l strtof64 strtof64_l "
     "strtof64x strtof64x_l wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64 wcstof64_l wcstof64x "
     "wcstof64x_l"},
    {"libc.so.6", "GLIBC_2.28",
     "call_once cnd_broadcast cnd_destroy cnd_init cnd_signal cnd_timedwait cnd_wait fcntl64 mtx_destroy "
     "mtx_init mtx_lock mtx_timedlock mtx_trylock mtx_unlock renameat2 statx thrd_create thrd_current "
     "thrd_detach thrd_equal thrd_exit thrd_join thrd_sleep thrd_yield tss_create tss_delete tss_get tss_set"},
    {"libc.so.6", "GLIBC_2.29", "getcpu posix_spawn_file_actions_addchdir_np posix_spawn_file_actions_addfchdir_np"},
    {"libc.so.6", "GLIBC_2.30",
     "getdents64 gettid pthread_cond_clockwait pthread_mutex_clocklock pthread_rwlock_clockrdlock "
     "pthread_rwlock_clockwrlock sem_clockwait tgkill twalk_r"},
    {"libc.so.6", "GLIBC_2.31", "pthread_clockjoin_np"},
    {"libc.so.6", "GLIBC_2.32",
     "__libc_single_threaded pthread_attr_getsigmask_np pthread_attr_setsigmask_np sigabbrev_np sigdescr_np "
     "strerrordesc_np strerrorname_np"},
    {"libc.so.6", "GLIBC_2.33",
     "__x86_get_cpuid_feature_leaf fstat fstat64 fstatat fstatat64 lstat lstat64 mknod mknodat stat stat64"},
    {"libc.so.6", "GLIBC_2.34",
     "_Fork close_range closefrom dn_comp dn_expand dn_skipname execveat "
     "posix_spawn_file_actions_addclosefrom_np res_dnok res_hnok res_mailok res_mkquery res_nmkquery "
     "res_nquery res_nquerydomain res_nsearch res_nsend res_ownok res_query res_querydomain res_search "
     "res_send timespec_getres"},
    {"libc.so.6", "GLIBC_2.35", "__memcmpeq _dl_find_object epoll_pwait2 posix_spawn_file_actions_addtcsetpgrp_np"},
    {"libc.so.6", "GLIBC_2.36",
     "arc4random arc4random_buf arc4random_uniform c8rtomb fsconfig fsmount fsopen fspick mbrtoc8 "
     "mount_setattr move_mount open_tree pidfd_getfd pidfd_open pidfd_send_signal process_madvise "
     "process_mrelease"},
    {"libc.so.6", "GLIBC_2.38",
     "__isoc23_fscanf __isoc23_fwscanf __isoc23_scanf __isoc23_sscanf __isoc23_strtoimax __isoc23_strtol "
     "__isoc23_strtol_l __isoc23_strtoll __isoc23_strtoll_l __isoc23_strtoul __isoc23_strtoul_l "
     "__isoc23_strtoull __isoc23_strtoull_l __isoc23_strtoumax __isoc23_swscanf __isoc23_vfscanf "
     "__isoc23_vfwscanf __isoc23_vscanf __isoc23_vsscanf __isoc23_vswscanf __isoc23_vwscanf __isoc23_wcstoimax "
     "__isoc23_wcstol __isoc23_wcstol_l __isoc23_wcstoll __isoc23_wcstoll_l __isoc23_wcstoul "
     "__isoc23_wcstoul_l __isoc23_wcstoull __isoc23_wcstoull_l __isoc23_wcstoumax __isoc23_wscanf "
     "__strlcat_chk __strlcpy_chk __wcslcat_chk __wcslcpy_chk strlcat strlcpy wcslcat wcslcpy"},
    {"libc.so.6", "GLIBC_2.39",
     "pidfd_getpid pidfd_spawn pidfd_spawnp posix_spawnattr_getcgroup_np posix_spawnattr_setcgroup_np "
     "stdc_bit_ceil_uc stdc_bit_ceil_ui stdc_bit_ceil_ul stdc_bit_ceil_ull stdc_bit_ceil_us stdc_bit_floor_uc "
     "stdc_bit_floor_ui stdc_bit_floor_ul stdc_bit_floor_ull stdc_bit_floor_us stdc_bit_width_uc "
     "stdc_bit_width_ui stdc_bit_width_ul stdc_bit_width_ull stdc_bit_width_us stdc_count_ones_uc "
     "stdc_count_ones_ui stdc_count_ones_ul stdc_count_ones_ull stdc_count_ones_us stdc_count_zeros_uc "
     "stdc_count_zeros_ui stdc_count_zeros_ul stdc_count_zeros_ull stdc_count_zeros_us "
     "stdc_first_leading_one_uc stdc_first_leading_one_ui stdc_first_leading_one_ul stdc_first_leading_one_ull "
     "stdc_first_leading_one_us stdc_first_leading_zero_uc stdc_first_leading_zero_ui "
     "stdc_first_leading_zero_ul stdc_first_leading_zero_ull stdc_first_leading_zero_us "
     "stdc_first_trailing_one_uc stdc_first_trailing_one_ui stdc_first_trailing_one_ul "
     "stdc_first_trailing_one_ull stdc_first_trailing_one_us stdc_first_trailing_zero_uc "
     "stdc_first_trailing_zero_ui stdc_first_trailing_zero_ul stdc_first_trailing_zero_ull "
     "stdc_first_trailing_zero_us stdc_has_single_bit_uc stdc_has_single_bit_ui stdc_has_single_bit_ul "
     "stdc_has_single_bit_ull stdc_has_single_bit_us stdc_leading_ones_uc stdc_leading_ones_ui "
     "stdc_leading_ones_ul stdc_leading_ones_ull stdc_leading_ones_us stdc_leading_zeros_uc "
     "stdc_leading_zeros_ui stdc_leading_zeros_ul stdc_leading_zeros_ull stdc_leading_zeros_us "
     "stdc_trailing_ones_uc stdc_trailing_ones_ui stdc_trailing_ones_ul stdc_trailing_ones_ull "
     "stdc_trailing_ones_us stdc_trailing_zeros_uc stdc_trailing_zeros_ui stdc_trailing_zeros_ul "
     "stdc_trailing_zeros_ull stdc_trailing_zeros_us"},
    {"libc.so.6", "GLIBC_2.41", "sched_getattr sched_setattr"},
    {"libc.so.6", "GLIBC_2.42",
     "__inet_ntop_chk __inet_pton_chk cfgetibaud cfgetobaud cfsetbaud cfsetibaud cfsetobaud pthread_gettid_np "
     "uabs uimaxabs ulabs ullabs"},
    {"libc.so.6", "GLIBC_2.43", "__memset_explicit_chk memalignment memset_explicit mseal openat2 umaxabs"},
    {"libm.so.6", "GLIBC_2.15",
     "__acos_finite __acosf_finite __acosh_finite __acoshf_finite __acoshl_finite __acosl_finite __asin_finite "
     "__asinf_finite __asinl_finite __atan2_finite __atan2f_finite __atan2l_finite __atanh_finite "
     "__atanhf_finite __atanhl_finite __cosh_finite __coshf_finite __coshl_finite __exp10_finite "
     "__exp10f_finite __exp10l_finite __exp2_finite __exp2f_finite __exp2l_finite __exp_finite __expf_finite "
     "__expl_finite __fmod_finite __fmodf_finite __fmodl_finite __gamma_r_finite __gammaf_r_finite "
     "__gammal_r_finite __hypot_finite __hypotf_finite __hypotl_finite __j0_finite __j0f_finite __j0l_finite "
     "__j1_finite __j1f_finite __j1l_finite __jn_finite __jnf_finite __jnl_finite __lgamma_r_finite "
     "__lgammaf_r_finite __lgammal_r_finite __log10_finite __log10f_finite __log10l_finite __log2_finite "
     "__log2f_finite __log2l_finite __log_finite __logf_finite __logl_finite __pow_finite __powf_finite "
     "__powl_finite __remainder_finite __remainderf_finite __remainderl_finite __scalb_finite __scalbf_finite "
     "__scalbl_finite __sinh_finite __sinhf_finite __sinhl_finite __sqrt_finite __sqrtf_finite __sqrtl_finite "
     "__y0_finite __y0f_finite __y0l_finite __y1_finite __y1f_finite __y1l_finite __yn_finite __ynf_finite "
     "__ynl_finite"},
    {"libm.so.6", "GLIBC_2.18", "__issignaling __issignalingf __issignalingl"},
    {"libm.so.6", "GLIBC_2.23", "__signgam"},
    {"libm.so.6", "GLIBC_2.24", "nextdown nextdownf nextdownl nextup nextupf nextupl"},
    {"libm.so.6", "GLIBC_2.25",
     "__iscanonicall __iseqsig __iseqsigf __iseqsigl canonicalize canonicalizef canonicalizel fegetmode "
     "fesetexcept fesetmode fetestexceptflag fmaxmag fmaxmagf fmaxmagl fminmag fminmagf fminmagl fromfp "
     "fromfpf fromfpl fromfpx fromfpxf fromfpxl getpayload getpayloadf getpayloadl llogb llogbf llogbl "
     "roundeven roundevenf roundevenl setpayload setpayloadf setpayloadl setpayloadsig setpayloadsigf "
     "setpayloadsigl totalorder totalorderf totalorderl totalordermag totalordermagf totalordermagl ufromfp "
     "ufromfpf ufromfpl ufromfpx ufromfpxf ufromfpxl"},
    {"libm.so.6", "GLIBC_2.26",
     "__acosf128_finite __acoshf128_finite __asinf128_finite __atan2f128_finite __atanhf128_finite "
     "__coshf128_finite __exp10f128_finite __exp2f128_finite __expf128_finite __finitef128 __fmodf128_finite "
     "__fpclassifyf128 __gammaf128_r_finite __hypotf128_finite __iseqsigf128 __isinff128 __issignalingf128 "
     "__j0f128_finite __j1f128_finite __jnf128_finite __lgammaf128_r_finite __log10f128_finite "
     "__log2f128_finite __logf128_finite __powf128_finite __remainderf128_finite __signbitf128 "
     "__sinhf128_finite __sqrtf128_finite __y0f128_finite __y1f128_finite __ynf128_finite acosf128 acoshf128 "
     "asinf128 asinhf128 atan2f128 atanf128 atanhf128 cabsf128 cacosf128 cacoshf128 canonicalizef128 cargf128 "
     "casinf128 casinhf128 catanf128 catanhf128 cbrtf128 ccosf128 ccoshf128 ceilf128 cexpf128 cimagf128 "
     "clog10f128 clogf128 conjf128 copysignf128 cosf128 coshf128 cpowf128 cprojf128 crealf128 csinf128 "
     "csinhf128 csqrtf128 ctanf128 ctanhf128 erfcf128 erff128 exp10f128 exp2f128 expf128 expm1f128 fabsf128 "
     "fdimf128 floorf128 fmaf128 fmaxf128 fmaxmagf128 fminf128 fminmagf128 fmodf128 frexpf128 fromfpf128 "
     "fromfpxf128 getpayloadf128 hypotf128 ilogbf128 j0f128 j1f128 jnf128 ldexpf128 lgammaf128 lgammaf128_r "
     "llogbf128 llrintf128 llroundf128 log10f128 log1pf128 log2f128 logbf128 logf128 lrintf128 lroundf128 "
     "modff128 nanf128 nearbyintf128 nextafterf128 nextdownf128 nextupf128 powf128 remainderf128 remquof128 "
     "rintf128 roundevenf128 roundf128 scalblnf128 scalbnf128 setpayloadf128 setpayloadsigf128 sincosf128 "
     "sinf128 sinhf128 sqrtf128 tanf128 tanhf128 tgammaf128 totalorderf128 totalordermagf128 truncf128 "
     "ufromfpf128 ufromfpxf128 y0f128 y1f128 ynf128"},
    {"libm.so.6", "GLIBC_2.27",
     "acosf32 acosf32x acosf64 acosf64x acoshf32 acoshf32x acoshf64 acoshf64x asinf32 asinf32x asinf64 "
     "asinf64x asinhf32 asinhf32x asinhf64 asinhf64x atan2f32 atan2f32x atan2f64 atan2f64x atanf32 atanf32x "
     "atanf64 atanf64x atanhf32 atanhf32x atanhf64 atanhf64x cabsf32 cabsf32x cabsf64 cabsf64x cacosf32 "
     "cacosf32x cacosf64 cacosf64x cacoshf32 cacoshf32x cacoshf64 cacoshf64x canonicalizef32 canonicalizef32x "
     "canonicalizef64 canonicalizef64x cargf32 cargf32x cargf64 cargf64x casinf32 casinf32x casinf64 casinf64x "
     "casinhf32 casinhf32x casinhf64 casinhf64x catanf32 catanf32x catanf64 catanf64x catanhf32 catanhf32x "
     "catanhf64 catanhf64x cbrtf32 cbrtf32x cbrtf64 cbrtf64x ccosf32 ccosf32x ccosf64 ccosf64x ccoshf32 "
     "ccoshf32x ccoshf64 ccoshf64x ceilf32 ceilf32x ceilf64 ceilf64x cexpf32 cexpf32x cexpf64 cexpf64x "
     "cimagf32 cimagf32x cimagf64 cimagf64x clog10f32 clog10f32x clog10f64 clog10f64x clogf32 clogf32x clogf64 "
     "clogf64x conjf32 conjf32x conjf64 conjf64x copysignf32 copysignf32x copysignf64 copysignf64x cosf32 "
     "cosf32x cosf64 cosf64x coshf32 coshf32x coshf64 coshf64x cpowf32 cpowf32x cpowf64 cpowf64x cprojf32 "
     "cprojf32x cprojf64 cprojf64x crealf32 crealf32x crealf64 crealf64x csinf32 csinf32x csinf64 csinf64x "
     "csinhf32 csinhf32x csinhf64 csinhf64x csqrtf32 csqrtf32x csqrtf64 csqrtf64x ctanf32 ctanf32x ctanf64 "
     "ctanf64x ctanhf32 ctanhf32x ctanhf64 ctanhf64x erfcf32 erfcf32x erfcf64 erfcf64x erff32 erff32x erff64 "
     "erff64x exp10f32 exp10f32x exp10f64 exp10f64x exp2f32 exp2f32x exp2f64 exp2f64x expf32 expf32x expf64 "
     "expf64x expm1f32 expm1f32x expm1f64 expm1f64x fabsf32 fabsf32x fabsf64 fabsf64x fdimf32 fdimf32x fdimf64 "
     "fdimf64x floorf32 floorf32x floorf64 floorf64x fmaf32 fmaf32x fmaf64 fmaf64x fmaxf32 fmaxf32x fmaxf64 "
     "fmaxf64x fmaxmagf32 fmaxmagf32x fmaxmagf64 fmaxmagf64x fminf32 fminf32x fminf64 fminf64x fminmagf32 "
     "fminmagf32x fminmagf64 fminmagf64x fmodf32 fmodf32x fmodf64 fmodf64x frexpf32 frexpf32x frexpf64 "
     "frexpf64x fromfpf32 fromfpf32x fromfpf64 fromfpf64x fromfpxf32 fromfpxf32x fromfpxf64 fromfpxf64x "
     "getpayloadf32 getpayloadf32x getpayloadf64 getpayloadf64x hypotf32 hypotf32x hypotf64 hypotf64x ilogbf32 "
     "ilogbf32x ilogbf64 ilogbf64x j0f32 j0f32x j0f64 j0f64x j1f32 j1f32x j1f64 j1f64x jnf32 jnf32x jnf64 "
     "jnf64x ldexpf32 ldexpf32x ldexpf64 ldexpf64x lgammaf32 lgammaf32_r lgammaf32x lgammaf32x_r lgammaf64 "
     "lgammaf64_r lgammaf64x lgammaf64x_r llogbf32 llogbf32x llogbf64 llogbf64x llrintf32 llrintf32x llrintf64 "
     "llrintf64x llroundf32 llroundf32x llroundf64 llroundf64x log10f32 log10f32x log10f64 log10f64x log1pf32 "
     "log1pf32x log1pf64 log1pf64x log2f32 log2f32x log2f64 log2f64x logbf32 logbf32x logbf64 logbf64x logf32 "
     "logf32x logf64 logf64x lrintf32 lrintf32x lrintf64 lrintf64x lroundf32 lroundf32x lroundf64 lroundf64x "
     "modff32 modff32x modff64 modff64x nanf32 nanf32x nanf64 nanf64x nearbyintf32 nearbyintf32x nearbyintf64 "
     "nearbyintf64x nextafterf32 nextafterf32x nextafterf64 nextafterf64x nextdownf32 nextdownf32x nextdownf64 "
     "nextdownf64x nextupf32 nextupf32x nextupf64 nextupf64x powf32 powf32x powf64 powf64x remainderf32 "
     "remainderf32x remainderf64 remainderf64x remquof32 remquof32x remquof64 remquof64x rintf32 rintf32x "
     "rintf64 rintf64x roundevenf32 roundevenf32x roundevenf64 roundevenf64x roundf32 roundf32x roundf64 "
     "roundf64x scalblnf32 scalblnf32x scalblnf64 scalblnf64x scalbnf32 scalbnf32x scalbnf64 scalbnf64x "
     "setpayloadf32 setpayloadf32x setpayloadf64 setpayloadf64x setpayloadsigf32 setpayloadsigf32x "
     "setpayloadsigf64 setpayloadsigf64x sincosf32 sincosf32x sincosf64 sincosf64x sinf32 sinf32x sinf64 "
     "sinf64x sinhf32 sinhf32x sinhf64 sinhf64x sqrtf32 sqrtf32x sqrtf64 sqrtf64x tanf32 tanf32x tanf64 "
     "tanf64x tanhf32 tanhf32x tanhf64 tanhf64x tgammaf32 tgammaf32x tgammaf64 tgammaf64x totalorderf32 "
     "totalorderf32x totalorderf64 totalorderf64x totalordermagf32 totalordermagf32x totalordermagf64 "
     "totalordermagf64x truncf32 truncf32x truncf64 truncf64x ufromfpf32 ufromfpf32x ufromfpf64 ufromfpf64x "
     "ufromfpxf32 ufromfpxf32x ufromfpxf64 ufromfpxf64x y0f32 y0f32x y0f64 y0f64x y1f32 y1f32x y1f64 y1f64x "
     "ynf32 ynf32x ynf64 ynf64x"},
    {"libm.so.6", "GLIBC_2.28",
     "daddl ddivl dmull dsubl f32addf128 f32addf32x f32addf64 f32addf64x f32divf128 f32divf32x f32divf64 "
     "f32divf64x f32mulf128 f32mulf32x f32mulf64 f32mulf64x f32subf128 f32subf32x f32subf64 f32subf64x "
     "f32xaddf128 f32xaddf64 f32xaddf64x f32xdivf128 f32xdivf64 f32xdivf64x f32xmulf128 f32xmulf64 f32xmulf64x "
     "f32xsubf128 f32xsubf64 f32xsubf64x f64addf128 f64addf64x f64divf128 f64divf64x f64mulf128 f64mulf64x "
     "f64subf128 f64subf64x f64xaddf128 f64xdivf128 f64xmulf128 f64xsubf128 fadd faddl fdiv fdivl fmul fmull "
     "fsub fsubl"},
    {"libm.so.6", "GLIBC_2.35",
     "dfmal dsqrtl f32fmaf128 f32fmaf32x f32fmaf64 f32fmaf64x f32sqrtf128 f32sqrtf32x f32sqrtf64 f32sqrtf64x "
     "f32xfmaf128 f32xfmaf64 f32xfmaf64x f32xsqrtf128 f32xsqrtf64 f32xsqrtf64x f64fmaf128 f64fmaf64x "
     "f64sqrtf128 f64sqrtf64x f64xfmaf128 f64xsqrtf128 ffma ffmal fmaximum fmaximum_mag fmaximum_mag_num "
     "fmaximum_mag_numf fmaximum_mag_numf128 fmaximum_mag_numf32 fmaximum_mag_numf32x fmaximum_mag_numf64 "
     "fmaximum_mag_numf64x fmaximum_mag_numl fmaximum_magf fmaximum_magf128 fmaximum_magf32 fmaximum_magf32x "
     "fmaximum_magf64 fmaximum_magf64x fmaximum_magl fmaximum_num fmaximum_numf fmaximum_numf128 "
     "fmaximum_numf32 fmaximum_numf32x fmaximum_numf64 fmaximum_numf64x fmaximum_numl fmaximumf fmaximumf128 "
     "fmaximumf32 fmaximumf32x fmaximumf64 fmaximumf64x fmaximuml fminimum fminimum_mag fminimum_mag_num "
     "fminimum_mag_numf fminimum_mag_numf128 fminimum_mag_numf32 fminimum_mag_numf32x fminimum_mag_numf64 "
     "fminimum_mag_numf64x fminimum_mag_numl fminimum_magf fminimum_magf128 fminimum_magf32 fminimum_magf32x "
     "fminimum_magf64 fminimum_magf64x fminimum_magl fminimum_num fminimum_numf fminimum_numf128 "
     "fminimum_numf32 fminimum_numf32x fminimum_numf64 fminimum_numf64x fminimum_numl fminimumf fminimumf128 "
     "fminimumf32 fminimumf32x fminimumf64 fminimumf64x fminimuml fsqrt fsqrtl"},
    {"libm.so.6", "GLIBC_2.40",
     "exp10m1 exp10m1f exp10m1f128 exp10m1f32 exp10m1f32x exp10m1f64 exp10m1f64x exp10m1l exp2m1 exp2m1f "
     "exp2m1f128 exp2m1f32 exp2m1f32x exp2m1f64 exp2m1f64x exp2m1l log10p1 log10p1f log10p1f128 log10p1f32 "
     "log10p1f32x log10p1f64 log10p1f64x log10p1l log2p1 log2p1f log2p1f128 log2p1f32 log2p1f32x log2p1f64 "
     "log2p1f64x log2p1l logp1 logp1f logp1f128 logp1f32 logp1f32x logp1f64 logp1f64x logp1l"},
    {"libm.so.6", "GLIBC_2.41",
     "acospi acospif acospif128 acospif32 acospif32x acospif64 acospif64x acospil asinpi asinpif asinpif128 "
     "asinpif32 asinpif32x asinpif64 asinpif64x asinpil atan2pi atan2pif atan2pif128 atan2pif32 atan2pif32x "
     "atan2pif64 atan2pif64x atan2pil atanpi atanpif atanpif128 atanpif32 atanpif32x atanpif64 atanpif64x "
     "atanpil cospi cospif cospif128 cospif32 cospif32x cospif64 cospif64x cospil sinpi sinpif sinpif128 "
     "sinpif32 sinpif32x sinpif64 sinpif64x sinpil tanpi tanpif tanpif128 tanpif32 tanpif32x tanpif64 "
     "tanpif64x tanpil"},
    {"libm.so.6", "GLIBC_2.42",
     "compoundn compoundnf compoundnf128 compoundnf32 compoundnf32x compoundnf64 compoundnf64x compoundnl pown "
     "pownf pownf128 pownf32 pownf32x pownf64 pownf64x pownl powr powrf powrf128 powrf32 powrf32x powrf64 "
     "powrf64x powrl rootn rootnf rootnf128 rootnf32 rootnf32x rootnf64 rootnf64x rootnl rsqrt rsqrtf "
     "rsqrtf128 rsqrtf32 rsqrtf32x rsqrtf64 rsqrtf64x rsqrtl"},
};

std::unordered_map<std::string_view, GlibcSymbol> by_name() {
  std::unordered_map<std::string_view, GlibcSymbol> table;
  for (const Release& release : releases)
    for (const std::string_view name : split(release.names, ' '))
      table.try_emplace(name, GlibcSymbol{release.library, release.version});
  return table;
}

}  // namespace

const GlibcSymbol* first_with(std::string_view symbol) {
  if (symbol.starts_with("_Z") || symbol.starts_with("Py")) return nullptr;  // most of the imports without a version
  static const std::unordered_map<std::string_view, GlibcSymbol> table = by_name();
  const auto at = table.find(symbol);
  return at == table.end() ? nullptr : &at->second;
}

}  // namespace wheelcheck::policy
