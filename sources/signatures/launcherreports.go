package signatures

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/traintop/traintop/train"
)

// launcherReport is how one launcher reports a process that ended. Its rows are
// reportRows: one for each end, named "mpi-killed", and one for any other exit code,
// "mpi-failed".
type launcherReport struct {
	name    string
	anchors []string
	// pattern contains placeholders for the end: {code} is an exit code as a shell or
	// Python gives it (137, -9), {status} the same or the bare signal (9), {signal} a
	// signal by number or name (9, SIGKILL), {name} its name alone, {text} the words of
	// strsignal (Killed).
	pattern string
	origin  string
	// failed is the cause of any other exit code, application-error where it is "".
	failed train.Cause
}

// launcherReports are the launchers whose reports have a line of their own for each
// process. torchrun's are in structureTexts, since they span several
// lines; torchrunreport.go reads them.
var launcherReports = []launcherReport{
	{"mpi", []string{"noticed that process rank"}, `noticed that process rank (?P<rank>\d+) with PID \S+ on node (?:(\S+) )?exited on signal {signal}`, "Open MPI (ORTE), PRRTE; seen in public issues", ""},
	{"mpich", []string{"=   EXIT CODE: ", "THE EXIT STRING: ", "KILLED BY SIGNAL: "}, `EXIT CODE: {status}\s*$|THE EXIT STRING: {text}|KILLED BY SIGNAL: {signal}`, "MPICH Hydra: the code is the signal's or 128 above it; Intel MPI names the signal; seen in public issues", ""},
	{"slurm-task", []string{"srun: error: "}, `srun: error: (\S+): ` + slurmTasks + `: (?:{text}|Exited with exit code {code})`, "Slurm srun; seen in public issues", ""},
	{"paddle", []string{"Container rank "}, `Container rank (?P<rank>\d+) status failed cmd [^\n]* code {code}`, "PaddlePaddle launch; seen in public issues (PaddlePaddle/Paddle#47326)", "torchrun-child-failed"},
	{"composer", []string{" crashed with exit code ", ") exited with code "}, `\bRank (?P<rank>\d+) crashed with exit code {code}|\b[Gg]lobal rank (?P<rank2>\d+) \(PID \d+\) exited with code {code}`, "Composer composer/cli/launcher.py; seen in public issues", ""},
	{"process", []string{"Exit code: ", " exit with status code "}, `^\s*Exit code: +{code}\s*$|^Process (?P<rank>\d+) exit with status code {code}`, "Open MPI help-orterun.txt, Horovod runner/gloo_run.py: the line under the name of the process; seen in public issues", ""},
	{"spawn", []string{"terminated with signal ", "terminated with exit code ", " exited with SIG", "exited with signal SIG", "terminated with SIG"}, `\b[Pp]rocess (?P<rank>\d{1,4}) (?:terminated with (?:signal {signal}|exit code {code})|(?:exited|terminated) with (?:signal )?{name})`, "torch.multiprocessing.spawn, ProcessExitedException; paddle.distributed.spawn", ""},
	{"rank-exit", []string{" exited with ", " died with ", "terminated with ", " crashed with ", " killed by signal ", " failed with "}, `\b[Rr]ank:? ?(?P<rank>\d{1,5})\b[^\n\]]{0,40}?\b(?:exited|died|terminated|crashed|killed|failed) (?:with|by) (?:(?:exit[ -]?|return ?)?(?:code|status):? {code}|(?:signal )?{name})`, "launchers of all kinds, in one sentence: a rank, and how it ended", ""},
	{"called", []string{"returned non-zero exit status "}, `CalledProcessError: Command \W*\S*(?:python|torchrun|deepspeed|accelerate|mpirun|mpiexec|horovodrun|sh\b|\.py\b)[^\n]* returned non-zero exit status {code}`, "Python subprocess.CalledProcessError of a program that trains: the shell below it passed the signal on", "torchrun-child-failed"},
	{"sagemaker", []string{"ExitCode "}, `^(?:[\w.]*ExecuteUserScriptError: )?ExitCode {code}\s*$`, "Amazon SageMaker sagemaker_training/errors.py; seen in public issues", ""},
	{"make", []string{"make: *** [", "]: *** ["}, `^make(?:\[\d+\])?: \*\*\* \[[^\]\n]*\] (?:{text}|Error {code})`, "GNU make of a recipe that runs the program", ""},
	{"pool", []string{" stopped exitcode="}, `\bstopped exitcode={code}|\bstopped exitcode=-{name}`, "Python multiprocessing/process.py: the repr of a process that ended", ""},
	{"mindspore", []string{" exit with exception"}, `Worker process \d+ exit with exception\. Error code: {code}`, "MindSpore msrun, parallel/cluster/process_entity/_api.py: wording not checked against a source", ""},
	{"tpu-ssh", []string{"Command execution on worker "}, `Command execution on worker (?P<rank>\d+) failed with exit status {code}`, "gcloud compute tpus tpu-vm ssh --worker=all: the host of a TPU, which is its first rank; seen in public issues", ""},
	{"zsh", []string{"zsh: segmentation fault", "zsh: bus error", "zsh: illegal hardware instruction", "zsh: floating point exception", "zsh: abort", "zsh: terminated", "zsh: hangup"}, `^zsh: {zsh}(?: \(core dumped\))? +\S`, "zsh Src/jobs.c, signames: the words of signals are its own", ""},
	{"bar", []string{"]Killed ", "]Segmentation fault", "]Bus error", "]Illegal instruction", "]Floating point exception", "]Aborted", "]Terminated"}, `(?:it/s|s/it)[^\]\n]*\]{text}(?: \(core dumped\))?\s*$`, "shells: the word stands behind a bar of tqdm, which ends its line with no newline; seen in public issues", ""},
	{"glog", []string{") received by PID "}, `\*\*\* {name} \(@0x[0-9a-f]+\) received by PID \d+`, "glog signalhandler.cc, PaddlePaddle platform/init.cc: the signal that ended the program, below its stack", ""},
	{"shell", []string{"Floating point exception", "Illegal instruction"}, `^(?:\S+: )?(?:line \d+: +\d+ )?{text}(?: +\(core dumped\)[^\n]*|\s*$|  +\S[^\n]*)`, "shells: the word of a signal that has no row of its own", ""},
	{"lightning", []string{"Child process with PID "}, `Child process with PID \d+ terminated with code {code}`, "Lightning strategies/launchers/subprocess_script.py", "torchrun-child-failed"},
}

// slurmTasks matches the tasks of srun's report: only one that is alone is named as
// a rank.
const slurmTasks = `(?:task (?P<rank>\d+)|tasks [\d,-]+)`

// end is how a process ended.
type end struct {
	suffix string
	cause  train.Cause
	signal int
	name   string
	// text is what strsignal of glibc returns, and zsh what zsh prints, "" where a row of
	// its own has it.
	text, zsh string
	// status is the exit code of a program that ends so on Windows, in both signs.
	status  string
	weight  int
	symptom bool
}

// ends are the signals that end processes (signal(7)). Those that a person, a launcher or
// an abort sends after an error are symptoms. The last one is any other exit code.
var ends = []end{
	{"killed", "sigkill-received", 9, "SIGKILL", "Killed", "", "", own - 9, false},
	{"segfault", "segfault", 11, "SIGSEGV", "Segmentation fault", "segmentation fault", "3221225477|-1073741819|3221225725|-1073741571", own - 4, false},
	{"bus", "shm-too-small", 7, "SIGBUS", "Bus error", "bus error", "", own - 5, false},
	{"illegal", "image-arch-mismatch", 4, "SIGILL", "Illegal instruction", "illegal hardware instruction", "3221225501|-1073741795", own - 5, false},
	{"float", "application-error", 8, "SIGFPE", "Floating point exception", "floating point exception", "", general - 3, false},
	{"abort", "abort-sigabrt", 6, "SIGABRT", "Aborted", "abort", "3221226505|-1073740791", wrapper + 8, true},
	{"terminated", "sigterm-received", 15, "SIGTERM", "Terminated", "terminated", "3221225786|-1073741510", lost - 1, true},
	{"hangup", "sighup-received", 1, "SIGHUP", "Hangup", "hangup", "", lost - 1, true},
	{"interrupt", "sigterm-received", 2, "SIGINT", "Interrupt", "interrupt", "", lost - 1, true},
	{suffix: "failed", cause: "application-error", weight: wrapper + 2, symptom: true},
}

// CauseOfExit returns the cause of a program's end with an exit code, in the spellings of
// shells, of Python (negative), of Windows and of PBS (256 more), "" where it names none.
func CauseOfExit(code int) train.Cause {
	for _, e := range ends {
		if e.signal > 0 && (code == -e.signal || code == 128+e.signal || code == 256+e.signal || slices.Contains(strings.Split(e.status, "|"), strconv.Itoa(code))) {
			return e.cause
		}
	}
	return ""
}

// reportRows returns the rows of launcherReports.
var reportRows = sync.OnceValue(func() []row {
	var all []row
	for _, report := range launcherReports {
		for _, e := range ends {
			pattern := e.fill(report.pattern)
			if pattern == "" {
				continue
			}
			origin, cause := report.origin, e.cause
			if e.signal != 0 {
				origin = fmt.Sprintf("%s: %s", report.origin, e.name)
			} else {
				cause = cmp.Or(report.failed, cause)
			}
			all = append(all, row{report.name + "-" + e.suffix, cause, InLog, report.anchors, pattern, e.weight, e.symptom, origin})
		}
	}
	return all
})

// never matches nothing: what it represents has no such spelling.
const never = `[^\s\S]`

// fill puts the spellings of an end into a launcher's pattern. It returns "" for a launcher
// that spells signals alone, where the end is none.
func (e *end) fill(pattern string) string {
	if e.signal == 0 {
		if !strings.Contains(pattern, "{code}") {
			return ""
		}
		return strings.NewReplacer("{code}", `(-?[1-9]\d*)\b`, "{status}", never, "{signal}", never, "{name}", never, "{text}", never, "{zsh}", never).Replace(pattern)
	}
	if e.zsh == "" && strings.Contains(pattern, "{zsh}") {
		return ""
	}
	code := fmt.Sprintf(`(?:-%d|%d)`, e.signal, 128+e.signal)
	if e.status != "" {
		code = fmt.Sprintf(`(?:-%d|%d|%s)`, e.signal, 128+e.signal, e.status)
	}
	status := code
	if !e.symptom && e.signal > 6 && e.signal != 8 { // smaller numbers are also codes of programs
		status = fmt.Sprintf(`(?:%d|%s)`, e.signal, code)
	}
	return strings.NewReplacer(
		"{code}", code+`\b`,
		"{status}", status+`\b`,
		"{signal}", fmt.Sprintf(`(?:%d|%s)\b`, e.signal, e.name),
		"{name}", e.name+`\b`,
		"{text}", e.text,
		"{zsh}", e.zsh,
	).Replace(pattern)
}

// reportsOfChildren are rows with which a launcher reports a process that ended, beside those
// of launcherReports.
var reportsOfChildren = map[string]int{
	"child-killed": 9, "child-signalled": 9, "child-memory": 9, "child-segfault": 11, "child-bus": 7, "child-abort": 6, "child-illegal": 4, "child-float": 8, "child-hangup": 1, "child-failed": 0, "child-root": 0,
	"child-killed-fabric": 9, "child-segfault-fabric": 11, "child-failed-fabric": 0,
	mpiEnded: 0, mpiReported: 0, "mpi-exit": 0, "mpi-called-abort": 0, "mpich-rank": 0, "ray-rank": 0, "ray-name": 0, "npu-process": 0, "sky-codes": 0, "paddle-trainer": 0, "msrun-silent": 0,
}

// Rows of shells and torchrun of a child that was killed.
const (
	killedLine  = "killed-line"
	killedChild = "killed-child"
)

// KillSeen reports whether a signature is a shell's or torchrun's line on a process that
// was killed, which is no report of its rank.
func KillSeen(signature string) bool {
	return signature == killedLine || signature == killedChild || signature == killOver
}

// endSignals are the signals of the rows of launchers' reports, 0 for an exit code.
var endSignals = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for name, signal := range reportsOfChildren {
		all[name] = signal
	}
	for _, report := range launcherReports {
		for _, e := range ends {
			all[report.name+"-"+e.suffix] = e.signal
		}
	}
	return all
})

// EndReported reports whether a signature is a launcher's report of a process that
// ended, and the signal that ended it, 0 where none is named.
func EndReported(signature string) (signal int, is bool) {
	signal, is = endSignals()[signature]
	return signal, is
}

// OfMPI reports whether a row of the table is a text of an MPI launcher or library.
func OfMPI(name string) bool {
	return strings.HasPrefix(name, "mpi") || strings.HasPrefix(name, "orte-") || strings.HasPrefix(name, "ssh-") || strings.HasPrefix(name, "horovod-")
}
