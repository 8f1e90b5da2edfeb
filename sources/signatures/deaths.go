package signatures

import (
	"bytes"
	"regexp"
)

// deathTexts are the last lines of programs in languages other than Python: fatal
// lines of loggers, sanitizers, and errors that nobody caught.
var deathTexts = []row{
	{fatalLog, "abort-sigabrt", InLog, []string{"*** Check failure stack trace: ***"}, `^F\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ \S+:\d+\] [^\n]*|^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: )?F \S+\.(?:cc|h|cpp):\d+\] [^\n]*`, general + 1, false, "glog, Abseil, TensorFlow and XLA tsl/platform/logging.cc: a line of severity F ends the program"},
	{goFatalLog, "application-error", InLog, []string{"F0000 00:00:00.000000 1 main.go:1] "}, `^F\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+\.go:\d+\] [^\n]*`, general + 1, false, "klog and glog of Go: a line of severity F ends the program with a status, no signal; openshift/origin#1363"},
	{"glog-aborted", "abort-sigabrt", InLog, []string{"*** Aborted at ", "PaddlePaddle catches a failure signal"}, `\*\*\* Aborted at \d{9,11} \(unix time\) try |PaddlePaddle catches a failure signal, it may not work properly`, wrapper + 1, true, "glog signalhandler.cc, PaddlePaddle platform/init.cc: a signal ended the program; the line below names it"},
	{"ggml-assert", "abort-sigabrt", InLog, []string{"GGML_ASSERT"}, `^GGML_ASSERT: [^\n]*:\d+: [^\n]*|^\S[^\n]*:\d+: GGML_ASSERT\([^\n]*\) failed`, general + 1, false, "ggml.h of llama.cpp and whisper.cpp: a check that failed, after which it calls abort()"},
	{"ray-check", "abort-sigabrt", InLog, []string{": Check failed: "}, `^\[\d{4}-\d\d-\d\d [\d:,]+ C \d+ \d+\] (?:\([\w-]+\) )?\S+:\d+: +Check failed: [^\n]*`, general + 1, false, "Ray util/logging.cc: a line of severity C ends the process"},
	{"dmlc-check", "application-error", InLog, []string{": Check failed: "}, `^(?:\[\d\d:\d\d:\d\d\] \S+:\d+: )+Check failed: [^\n]*`, general - 6, false, "dmlc-core dmlc/logging.h of MXNet, XGBoost, DGL and TVM: a check that failed is thrown"},
	{"check-stack", "abort-sigabrt", InLog, []string{"*** Check failure stack trace: ***"}, "", general - 16, true, "glog, Abseil: the line before it tells more"},
	{"sanitizer-segv", "segfault", InLog, []string{"Sanitizer: SEGV on ", "Sanitizer: stack-overflow on "}, `^==\d+==ERROR: \w+Sanitizer: (?:SEGV|stack-overflow) on [^\n]*`, own - 3, false, "LLVM compiler-rt sanitizers"},
	{"sanitizer", "abort-sigabrt", InLog, []string{"ERROR: AddressSanitizer: ", "ERROR: HWAddressSanitizer: ", "ERROR: LeakSanitizer: ", "WARNING: MemorySanitizer: ", "ERROR: ThreadSanitizer: ", "ERROR: UndefinedBehaviorSanitizer: "}, `^==\d+==(?:ERROR|WARNING): \w+Sanitizer: [^\n]*`, general + 2, false, "LLVM compiler-rt sanitizers: what ends the program; races that ThreadSanitizer reports do not"},
	{"cpp-what", "abort-sigabrt", InLog, []string{"  what():  "}, `^\s*what\(\): +\S[^\n]*`, wrapper + 5, true, "libstdc++: the exception that nobody caught"},

	{"json-exception", "python-exception", InLog, []string{"\"exc_type\":", "\"exc_type\" :"}, `"exc_type" ?: ?"\w[^\n]*`, general - 4, false, "structlog dict_tracebacks: an exception as a field of JSON"},

	{"rust-panic", "application-error", InLog, []string{" panicked at "}, `^thread '[^'\n]*'(?: \(\d+\))? panicked at [^\n]*`, general - 3, false, "Rust std panicking.rs: one thread, most often the program"},
	{goPanic, "application-error", InLog, []string{"all goroutines are asleep"}, `^(?:panic|fatal error): [^\n]*`, general - 3, false, "Go runtime/panic.go"},
	{"go-running", "application-error", InLog, []string{" [running]:"}, `^goroutine \d+ \[running\]:`, general - 9, true, "Go runtime/traceback.go: what it says of the panic stands above"},
	{killOver, "sigkill-received", InLog, []string{"line redrawn with carriage returns"}, `^Killed[a-z%|][^\n]*\b\d+ ?/ ?\d+\W*$`, own - 10, false, "shells: the word is written over the beginning of a line that the program redraws, whose count of n/N stays; seen in public issues"},
	{"fatal-level", "application-error", InLog, []string{"level=fatal msg=", `"level":"fatal"`, "<FATAL>: "}, `\blevel=fatal msg=(?:"(?:[^"\\\n]|\\.)*|\S+)|"level":"fatal"[^\n]*|^\S+ \S+ \w+\[\d+\] <FATAL>: [^\n]*`, general - 6, false, "Go's loggers logrus, zap and zerolog, JuiceFS pkg/utils/logger.go: at this level the program ends"},
	{"argo-output", "file-not-found", InAnyText, []string{"failed to save outputs: "}, `failed to save outputs: path (\S+) does not exist`, own - 10, false, "Argo workflow/executor: a step did not write what it promises; seen in public issues"},
	{"licence", "application-error", InLog, []string{"icense checkout failed", "icensing error:", "license server system", "LICENSE MANAGER ERROR", "icense Manager Error -", "to check out a license", "to checkout license"}, `[Ll]icense checkout failed|[Ll]icensing error: ?-?\d+|Cannot connect to license server|LICENSE MANAGER ERROR: ?[^\n]*|License Manager Error -\d+|[Ff]ailed to check ?out (?:a )?license[^\n]*`, general, false, "FlexNet Publisher (FlexLM) through MATLAB, Ansys and others: the program got no licence"},
	{"argo-outputs", "application-error", InAnyText, []string{"failed to save outputs: "}, `failed to save outputs: [^\n]*`, general - 8, false, "Argo workflow/executor: what a step wrote could not be read or stored; seen in public issues"},
	{"java-thread", "application-error", InLog, []string{`Exception in thread "`}, `^Exception in thread "[^"\n]*" [^\n]*`, general - 2, false, "Java java.lang.ThreadGroup, Scala"},
	{"java-exception", "application-error", InLog, []string{"Exception: ", "java.lang."}, `^(?:org\.apache|java|javax|scala|ml\.dmlc|com\.\w+|io\.(?:grpc|netty))\.(?:[\w$]+\.)*[A-Z][\w$]*(?:Exception|Error)(?::[^\n]*|\s*$)`, general - 3, false, "Java java.lang.Throwable: the exception's class with its package"},
	{"java-cause", "application-error", InLog, []string{"Caused by: "}, `^\s*Caused by: (?:[\w$]+\.)+[A-Z][\w$]*(?::[^\n]*|\s*$)`, general - 6, true, "Java java.lang.Throwable: what the exception above follows from"},
	{"julia-error", "application-error", InLog, []string{"ERROR: LoadError: ", "ERROR: InitError: "}, `^ERROR: (?:Load|Init)Error: [^\n]*`, general - 3, false, "Julia base/client.jl"},
	{luaError, "application-error", InLog, []string{"/luajit: "}, `^(?:\S*/)?lua(?:jit)?[\d.]*: [^\n]*?\.lua:\d+: [^\n]*`, general - 3, false, "Lua lua.c and LuaJIT: program, file, line, message"},
	{"matlab-error", "application-error", InLog, []string{"Error using "}, `^Error using +(?:[\w./>@]+ \(line \d+\)|[^\w\s]{1,2}|\w+(?:[./>]\w+)*)\s*$`, general - 3, false, "MATLAB: the function and the line, the message stands below"},
	{"r-error", "application-error", InLog, []string{"Error in "}, `^Error in [^\n]*\S : ?(?:\S[^\n]*)?$`, general - 3, false, "R src/main/errors.c"},
	{"r-halted", "application-error", InLog, []string{"Execution halted"}, `^Execution halted\s*$`, wrapper + 1, true, "R: a script ends at an error, told above"},
	{"windows-violation", "segfault", InLog, []string{"EXCEPTION_ACCESS_VIOLATION"}, `^(?:Exception: |# +)EXCEPTION_ACCESS_VIOLATION (?:at |\()0x[^\n]*`, own - 5, false, "Julia signals-win.c and the JVM's os_windows.cpp; seen in public issues"},
	{"fortran-signal", "segfault", InLog, []string{"forrtl: severe (174)"}, `^forrtl: severe \(174\): SIGSEGV[^\n]*`, own - 5, false, "Intel Fortran for_diags"},
	{"fortran-error", "application-error", InLog, []string{"Fortran runtime error: ", "forrtl: severe (", "ERROR STOP"}, `^Fortran runtime error: [^\n]*|^forrtl: severe \(\d+\): [^\n]*|^ERROR STOP\b[^\n]*`, general - 3, false, "gfortran libgfortran/runtime/error.c, Intel Fortran"},
}

// Rows whose lines begin with a text that is too short for an anchor.
const (
	fatalLog   = "fatal-log"
	goFatalLog = "go-fatal-log"
	goPanic    = "go-panic"
	killOver   = "killed-over"
	luaError   = "lua-error"
	rayBlock   = "ray-block"
)

// blockHead matches the head of a block of Ray Train's report, with the ranks that
// have one error.
var blockHead = regexp.MustCompile(`^\[Rank (\d+)((?:, \d+)*)\]:\s*$`)

// blockRank returns the one rank of such a head, -1 for several.
func blockRank(text []byte) int {
	m := blockHead.FindSubmatch(text)
	if m == nil || len(m[2]) > 0 {
		return -1
	}
	rank, _ := number(m[1])
	return rank
}

// isFatalAfterTime reports whether a line begins like one of severity F in TensorFlow's log:
// "2025-04-23 20:35:34.618070: F ".
func isFatalAfterTime(text []byte) bool {
	const severity = len("2025-04-23 20:35:34.618070: ")
	return len(text) > severity+1 && isDigit(text[0]) && text[severity] == 'F' && text[severity+1] == ' ' && text[severity-2] == ':' && text[4] == '-'
}

// startRow returns the row whose beginning a line has, "" for none.
func startRow(text []byte) string {
	switch {
	case len(text) < shortLine:
		return ""
	case text[0] == 'F' && digits(text[1:]) == 4 && text[5] == ' ':
		if bytes.Contains(text[:min(len(text), 80)], []byte(".go:")) {
			return goFatalLog
		}
		return fatalLog
	case isFatalAfterTime(text):
		return fatalLog
	case text[0] == 'K' && bytes.HasPrefix(text, []byte("Killed")) && text[len("Killed")] != ' ':
		return killOver
	case text[0] == 'p' && bytes.HasPrefix(text, []byte("panic: ")):
		return goPanic
	case text[0] == 'l' && bytes.HasPrefix(text, []byte("lua")) && bytes.Contains(text, []byte(".lua:")):
		return luaError
	case text[0] == '[' && bytes.HasPrefix(text, []byte("[Rank ")) && blockHead.Match(text):
		return rayBlock
	}
	return ""
}
