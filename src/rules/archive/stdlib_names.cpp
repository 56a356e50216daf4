// "What's New" of CPython 3.6 to 3.14, and the notes "Added in" and "Removed in" of its Doc/library.
#include "rules/archive/stdlib_names.h"

#include <map>
#include <utility>

#include "base/text.h"
#include "rules/archive/stdlib_modules.h"

namespace wheelcheck::rules {
namespace {

struct Row {
  std::string_view module;
  NameSpan span;
  std::string_view names;
};

constexpr int in_2 = StdlibModule::only_python_2;

constexpr Row rows[] = {
    {"argparse", {9}, "BooleanOptionalAction"},
    {"ast", {8}, "NamedExpr"},
    {"ast", {9}, "unparse"},
    {"ast", {10}, "Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton MatchStar MatchValue"},
    {"ast", {11}, "TryStar"},
    {"ast", {12}, "ParamSpec TypeAlias TypeVar TypeVarTuple"},
    {"ast", {0, 14}, "Bytes Ellipsis NameConstant Num Str"},
    {"asyncio", {7}, "all_tasks create_task current_task get_running_loop run"},
    {"asyncio", {8}, "exceptions"},
    {"asyncio", {9}, "to_thread"},
    {"asyncio", {11}, "Barrier BrokenBarrierError Runner TaskGroup Timeout taskgroups timeout timeout_at timeouts"},
    {"asyncio", {12}, "create_eager_task_factory eager_task_factory"},
    {"asyncio", {13}, "QueueShutDown"},
    {"asyncio", {0, 11}, "coroutine"},
    {"asyncio", {0, 14}, "AbstractChildWatcher FastChildWatcher SafeChildWatcher get_child_watcher set_child_watcher"},
    {"asyncio", {8, 14}, "MultiLoopChildWatcher ThreadedChildWatcher"},
    {"base64", {10}, "b32hexdecode b32hexencode"},
    {"base64", {13}, "z85decode z85encode"},
    {"base64", {0, 9}, "decodestring encodestring"},
    {"binascii", {0, 11}, "a2b_hqx b2a_hqx rlecode_hqx rledecode_hqx"},
    {"builtins", {11}, "BaseExceptionGroup ExceptionGroup"},
    {"calendar", {12}, "Day JANUARY Month"},
    {"cgi", {0, 8}, "escape parse_qs parse_qsl"},
    {"collections",
     {0, 10},
     "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container Coroutine "
     "Generator "
     "Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence MutableSet "
     "Reversible Sequence Set Sized ValuesView"},
    {"collections.abc", {12}, "Buffer"},
    {"concurrent", {14}, "interpreters"},
    {"concurrent.futures", {7}, "BrokenExecutor"},
    {"concurrent.futures", {8}, "InvalidStateError"},
    {"concurrent.futures", {14}, "InterpreterPoolExecutor"},
    {"configparser", {0, 12}, "SafeConfigParser"},
    {"configparser", {0, 13}, "LegacyInterpolation"},
    {"contextlib", {7}, "AbstractAsyncContextManager AsyncExitStack asynccontextmanager nullcontext"},
    {"contextlib", {10}, "AsyncContextDecorator aclosing"},
    {"contextlib", {11}, "chdir"},
    {"copy", {13}, "replace"},
    {"dataclasses", {10}, "KW_ONLY"},
    {"datetime", {11}, "UTC"},
    {"email", {0, in_2}, "Encoders MIMEAudio MIMEBase MIMEImage MIMEMultipart MIMEText Utils"},
    {"enum", {6}, "Flag IntFlag auto"},
    {"enum",
     {11},
     "CONFORM CONTINUOUS EJECT EnumCheck EnumType FlagBoundary KEEP NAMED_FLAGS ReprEnum STRICT StrEnum UNIQUE "
     "global_enum member nonmember verify"},
    {"enum", {13}, "EnumDict"},
    {"fractions", {0, 9}, "gcd"},
    {"functools", {8}, "cached_property singledispatchmethod"},
    {"functools", {9}, "cache"},
    {"functools", {14}, "Placeholder"},
    {"gettext", {0, 11}, "bind_textdomain_codeset ldgettext ldngettext lgettext lngettext"},
    {"hashlib", {11}, "file_digest"},
    {"hmac", {7}, "digest"},
    {"http", {11}, "HTTPMethod"},
    {"importlib", {7}, "resources"},
    {"importlib", {8}, "metadata"},
    {"importlib", {0, 12}, "find_loader"},
    {"importlib.abc", {0, 12}, "Finder"},
    {"importlib.abc", {7, 14}, "ResourceReader"},
    {"importlib.abc", {9, 14}, "Traversable TraversableResources"},
    {"importlib.metadata", {10}, "EntryPoints PackageMetadata packages_distributions"},
    {"importlib.metadata", {10, 12}, "SelectableGroups"},
    {"importlib.resources", {9}, "as_file files"},
    {"importlib.resources", {11}, "abc"},
    {"inspect", {10}, "get_annotations"},
    {"inspect", {12}, "BufferFlags markcoroutinefunction"},
    {"inspect", {0, 11}, "formatargspec getargspec"},
    {"inspect", {0, 6}, "getmoduleinfo"},
    {"itertools", {10}, "pairwise"},
    {"itertools", {12}, "batched"},
    {"itertools", {0, in_2}, "ifilter ifilterfalse imap izip izip_longest"},
    {"locale", {0, 12}, "format"},
    {"locale", {0, 13}, "resetlocale"},
    {"logging", {11}, "getLevelNamesMapping"},
    {"logging", {12}, "getHandlerByName getHandlerNames"},
    {"math", {6}, "tau"},
    {"math", {8}, "comb dist isqrt perm prod"},
    {"math", {9}, "lcm nextafter ulp"},
    {"math", {11}, "cbrt exp2"},
    {"math", {12}, "sumprod"},
    {"math", {13}, "fma"},
    {"multiprocessing", {8}, "resource_tracker shared_memory"},
    {"operator", {11}, "call"},
    {"os", {9}, "waitstatus_to_exitcode"},
    {"os", {13}, "process_cpu_count"},
    {"os", {0, 7}, "errno"},
    {"os", {0, in_2}, "getcwdu popen2 popen3 popen4"},
    {"pathlib", {13}, "UnsupportedOperation"},
    {"pkgutil", {9}, "resolve_name"},
    {"pkgutil", {0, 12}, "ImpImporter ImpLoader"},
    {"pkgutil", {0, 14}, "find_loader get_loader"},
    {"platform", {10}, "freedesktop_os_release"},
    {"platform", {0, 8}, "dist linux_distribution popen"},
    {"queue", {7}, "SimpleQueue"},
    {"queue", {13}, "ShutDown"},
    {"random", {9}, "randbytes"},
    {"random", {12}, "binomialvariate"},
    {"re", {11}, "NOFLAG"},
    {"re", {0, 13}, "template"},
    {"shlex", {8}, "join"},
    {"signal", {8}, "raise_signal strsignal valid_signals"},
    {"socket", {8}, "create_server has_dualstack_ipv6"},
    {"sqlite3", {0, 12}, "OptimizedUnicode"},
    {"ssl", {0, 12}, "RAND_pseudo_bytes match_hostname wrap_socket"},
    {"statistics", {8}, "NormalDist fmean geometric_mean multimode quantiles"},
    {"statistics", {10}, "correlation covariance linear_regression"},
    {"statistics", {13}, "kde kde_random"},
    {"string", {14}, "templatelib"},
    {"string", {0, in_2}, "atof atoi atol join joinfields letters lowercase maketrans replace split uppercase"},
    {"sys", {11}, "exception"},
    {"sys", {12}, "monitoring"},
    {"sys", {0, 9}, "getcheckinterval setcheckinterval"},
    {"sys", {0, in_2}, "exc_clear maxint"},
    {"threading", {8}, "ExceptHookArgs excepthook get_native_id"},
    {"threading", {10}, "getprofile gettrace"},
    {"time", {7}, "monotonic_ns perf_counter_ns process_time_ns thread_time time_ns"},
    {"time", {0, 8}, "clock"},
    {"types", {8}, "CellType"},
    {"types", {9}, "GenericAlias"},
    {"types", {10}, "EllipsisType NoneType NotImplementedType UnionType"},
    {"types", {12}, "get_original_bases"},
    {"types", {13}, "CapsuleType"},
    {"types",
     {0, in_2},
     "BooleanType ClassType DictType DictionaryType FileType FloatType InstanceType IntType ListType LongType "
     "ObjectType "
     "StringType StringTypes TupleType TypeType UnboundMethodType UnicodeType XRangeType"},
    {"typing", {8}, "Final Literal Protocol SupportsIndex TypedDict final get_args get_origin runtime_checkable"},
    {"typing", {9}, "Annotated"},
    {"typing", {10}, "Concatenate ParamSpec ParamSpecArgs ParamSpecKwargs TypeAlias TypeGuard is_typeddict"},
    {"typing",
     {11},
     "LiteralString Never NotRequired Required Self TypeVarTuple Unpack assert_never assert_type clear_overloads "
     "dataclass_transform get_overloads reveal_type"},
    {"typing", {12}, "TypeAliasType override"},
    {"typing", {13}, "NoDefault ReadOnly TypeIs get_protocol_members is_protocol"},
    {"typing", {14}, "evaluate_forward_ref"},
    {"typing", {0, 13}, "io re"},
    {"unittest", {8}, "IsolatedAsyncioTestCase"},
    {"unittest", {11}, "enterModuleContext"},
    {"unittest", {0, 12}, "_TextTestResult"},
    {"unittest", {0, 13}, "findTestCases getTestCaseNames makeSuite"},
    {"unittest.mock", {7}, "seal"},
    {"unittest.mock", {8}, "AsyncMock"},
    {"unittest.mock", {13}, "ThreadingMock"},
    {"urllib",
     {0, in_2},
     "FancyURLopener URLopener pathname2url quote quote_plus splitquery unquote unquote_plus url2pathname urlencode "
     "urlopen urlretrieve"},
    {"urllib.request", {0, 14}, "FancyURLopener URLopener"},
    {"uuid", {14}, "MAX NIL uuid6 uuid7 uuid8"},
    {"warnings", {13}, "deprecated"},
    {"wsgiref", {11}, "types"},
};

}  // namespace

std::optional<NameSpan> find_stdlib_name(std::string_view module, std::string_view name) {
  static const auto spans = [] {
    std::map<std::pair<std::string_view, std::string_view>, NameSpan> result;
    for (const Row& row : rows)
      for (const std::string_view each : split(row.names, ' ')) result.emplace(std::pair(row.module, each), row.span);
    return result;
  }();
  const auto at = spans.find({module, name});
  return at == spans.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace wheelcheck::rules
