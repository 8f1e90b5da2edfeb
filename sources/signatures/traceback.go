package signatures

import (
	"bytes"
	"regexp"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// speaker is one of those who write into a log: a rank, or all that have no
// prefix together.
type speaker struct {
	traceback traceback
	report    report
	// rank is what a line before said of the traceback that follows, -1.
	rank int
	// saving is the line on which a checkpoint was said to be saved, 0 for none.
	saving int64
	// launcher is true when it has told of the end of a child: what it raises
	// after that is of its own.
	launcher bool
}

// sinceSaving is how many lines after "saving checkpoint" the traceback of what
// went wrong with it may begin.
const sinceSaving = 4

// traceback is a Python traceback under way.
type traceback struct {
	open    bool
	ignored bool // it was reported only: in __del__, at exit
	wrapper bool // a launcher raises it for a child that ended
	chained bool // an exception before it is the cause
	seen    bool // an exception was told in this chain
	frame   string
	strange int // lines since the last one that belongs to it
	// saving is true when it passes a function that saves something.
	saving bool
	// spawned is true when its innermost frame reads what the process that
	// started this one sends: what it lacks could not be pickled there.
	spawned bool
	// fetching is true when it passes a client of HTTP, and no other service's
	// than that of data and models.
	fetching, service bool
	// waiting is the row for a program that a person stops where its innermost
	// frames wait for other ranks, "" for none.
	waiting string
	// storage is an error of the storage, told before the traceback whose
	// frames say what was done: the first of a chain, cut off at its top.
	storage train.LogHit
	// last is the newest of its lines, told when the log ends with it.
	last train.LogHit
	// mixed is true when a line of others stands since the last one of it.
	mixed bool
	// framed is true when a frame was read, raises when its code raises.
	framed, raises bool
	form
}

// maxStrange is how many lines of others may stand between those of a
// traceback: several processes write into one log.
const maxStrange = 12

var (
	frameLine     = regexp.MustCompile(`^[\s|]*File "([^"]+)", line (\d+)(?:, in (\S+))?`)
	exceptionLine = regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)*_?([A-Z]\w*)(?::\s?(.*))?$`)
	// lowerError are names of exceptions that begin with no capital:
	// socket.timeout, zlib.error, struct.error, cv2.error.
	lowerError = regexp.MustCompile(`^[a-z_]\w*(?:\.\w+)*\.(?:timeout|error|gaierror|herror)(?::|$)`)
	// multiprocessing is the file in whose _main a child that was spawned begins
	// (Python Lib/multiprocessing/spawn.py, 3.4 to 3.13).
	multiprocessing = regexp.MustCompile(`multiprocessing[/\\]spawn\.py$`)
	// httpClient are packages that fetch, otherService those that talk to
	// something else by them.
	httpClient   = regexp.MustCompile(`[/\\](?:urllib3|requests|huggingface_hub|aiohttp|httpx|httpcore|botocore|fsspec|gcsfs|s3fs|urllib[/\\]request\.py)(?:[/\\]|$)`)
	otherService = regexp.MustCompile(`[/\\](?:wandb|kubernetes|kubernetes_asyncio|mlflow|comet_ml|clearml|neptune|ray|docker)[/\\]`)
	// collective is the file whose functions wait for the other ranks, starting
	// those of its functions that wait for them to come (PyTorch 1.0 to 2.9).
	collective = regexp.MustCompile(`torch[/\\]distributed[/\\]distributed_c10d\.py$`)
	starting   = regexp.MustCompile(`^(?:init_process_group|_store_based_barrier|_new_process_group_helper)$`)
	// noAnswer is what Python says of a connection that does not come about.
	noAnswer = regexp.MustCompile(`^(?:socket\.)?(?:timeout|TimeoutError|gaierror)\b|^Connection(?:Refused|Reset|Aborted)Error: |^OSError: \[Errno (?:101|110|111|113)\]|^(?:http\.client\.)?RemoteDisconnected: |^ssl\.SSL\w*Error: `)
)

func (t *traceback) begin() {
	keep := traceback{open: true, ignored: t.ignored, chained: t.chained, seen: t.seen && t.chained}
	if t.chained {
		keep.storage = t.storage
	}
	*t = keep
}

// cutTraceback is the row for a traceback whose exception the log does not hold.
const cutTraceback = "python-cut"

// at keeps a line of a traceback that is under way.
func (t *traceback) at(line int64, when time.Time, p prefixed) {
	if t.open && t.strange == 0 {
		t.last = train.LogHit{Signature: cutTraceback, Cause: "python-exception", Line: line, Time: when, Text: shown(p.text), Rank: p.rank}
	}
}

// cut is what is known of a traceback that the log ends with: something went
// wrong there. What was only reported, what follows from an exception that was
// told, and what a launcher raises for its child, is none.
func (w *speaker) cut() (train.LogHit, bool) {
	t := &w.traceback
	if !t.open || t.ignored || t.seen || t.last.Line == 0 || t.wrapper && t.frame == "" {
		return train.LogHit{}, false
	}
	hit := t.last
	hit.Frame = t.frame
	if w.rank >= 0 {
		hit.Rank = w.rank
	}
	return hit, true
}

// addFrame takes a frame; the innermost one of the person's own code stays.
func (t *traceback) addFrame(line []byte) {
	if !t.open {
		t.begin()
	}
	t.strange, t.mixed, t.framed, t.raises = 0, false, true, false
	m := frameLine.FindSubmatch(line)
	t.saving = t.saving || m != nil && bytes.Contains(m[3], []byte("save"))
	if m != nil {
		t.fetching = t.fetching || httpClient.Match(m[1])
		t.service = t.service || otherService.Match(m[1])
	}
	if m != nil && collective.Match(m[1]) {
		t.waiting = interruptedCollective
		if starting.Match(m[3]) {
			t.waiting = interruptedRendezvous
		}
	}
	t.spawned = m != nil && string(m[3]) == "_main" && multiprocessing.Match(m[1])
	if m == nil || foreignCode(string(m[1])) {
		return
	}
	t.frame = frameName(m[1], m[2], m[3])
}

// frameName is a frame as people name it: "train.py:12 in main".
func frameName(file, line, function []byte) string {
	name := base(string(file)) + ":" + string(line)
	if len(function) > 0 && string(function) != "<module>" {
		name += " in " + string(function)
	}
	return shown([]byte(name))
}

// foreignCode reports whether a file is of Python or an installed package.
func foreignCode(path string) bool {
	for _, of := range []string{"site-packages/", "dist-packages/", "/lib/python", "<frozen", "<string>", "/opt/conda/bin/", "/usr/local/bin/", "/usr/bin/", "/bin/torchrun", "/bin/accelerate", "/bin/deepspeed"} {
		if strings.Contains(path, of) {
			return true
		}
	}
	return false
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// exception reports whether a line ends the traceback: "ValueError: text".
// What is indented belongs to a frame, what has no such shape to others.
func (t *traceback) exception(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) == 0 || line[0] == ' ' || line[0] == '\t' {
		t.raises = t.raises || bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("raise "))
		t.saving = t.saving || bytes.Contains(line, []byte(".save(")) || bytes.Contains(line, []byte("save_checkpoint("))
		t.strange++
	} else if m := exceptionLine.FindSubmatch(line); m != nil && (exceptionName(string(m[1])) || t.endsIn(line)) || lowerError.Match(line) {
		return true
	} else {
		t.strange++
		t.mixed = true
	}
	if t.strange > maxStrange {
		*t = traceback{}
	}
	return false
}

// ownName is an exception with a name of no known ending, with its module.
var ownName = regexp.MustCompile(`^([A-Za-z_]\w*\.)*[A-Z]\w*[a-z]\w*(?::\s|$)`)

// endsIn reports whether a line behind frames alone ends the traceback whatever
// its name is: one that is in a module, or that the innermost frame raises. What
// an exception group holds stands below its own line.
func (t *traceback) endsIn(line []byte) bool {
	m := ownName.FindSubmatch(line)
	return m != nil && (len(m[1]) > 0 || t.raises) && t.framed && !t.mixed && t.strange > 0 && !bytes.Contains(line, []byte(" sub-exception"))
}

// storageError are the errors of a storage that fails, not of the program:
// EIO, ECOMM, ENOTCONN, ESHUTDOWN, EHOSTDOWN, ESTALE, EREMOTEIO (Linux
// errno.h). A socket too is not connected, or its host down, and names no file.
var storageError = regexp.MustCompile(`\[Errno (?:5|70|116|121)\]|\[Errno (?:107|108|112)\] [^\n]*'/`)

// storageRead is the row for a storage that failed while anything else was done.
const storageRead = "storage-read"

// checkpointStorage is the row for a storage that failed while a checkpoint
// was written, which only the traceback tells.
const checkpointStorage = "checkpoint-storage"

// ofStorage makes of an exception's hit what it is while a checkpoint is written.
func ofStorage(hit train.LogHit) (storage train.LogHit, failed bool) {
	if !storageError.MatchString(hit.Text) {
		return hit, false
	}
	hit.Signature, hit.Cause = checkpointStorage, "checkpoint-write-failed"
	return hit, true
}

// fetchFailed is the row for a connection that failed while something was
// fetched, which only the frames tell.
const fetchFailed = "fetch-failed"

// ofFetch makes of an exception's hit what it is inside a client of HTTP.
func (t *traceback) ofFetch(hit train.LogHit) (fetch train.LogHit, failed bool) {
	if !t.fetching || t.service || !noAnswer.MatchString(hit.Text) {
		return hit, false
	}
	hit.Signature, hit.Cause, hit.Captures = fetchFailed, "dataset-download-failure", nil
	return hit, true
}

// The rows for a program that somebody stopped while it waited for other
// ranks, which only the frames tell.
const (
	interruptedCollective = "interrupted-collective"
	interruptedRendezvous = "interrupted-rendezvous"
)

// ofInterrupt makes of KeyboardInterrupt's hit what it is where ranks wait.
func (t *traceback) ofInterrupt(hit train.LogHit) (waited train.LogHit, is bool) {
	if t.waiting == "" || !strings.HasPrefix(hit.Text, "KeyboardInterrupt") {
		return hit, false
	}
	hit.Signature, hit.Cause = t.waiting, "hang-no-output"
	if t.waiting == interruptedRendezvous {
		hit.Cause = "rendezvous-timeout"
	}
	return hit, true
}

// ofSpawn makes of an exception's hit what it is in a child that is spawned,
// which reads its work before it does any.
func ofSpawn(hit train.LogHit) train.LogHit {
	hit.Signature, hit.Cause, hit.Captures = "spawn", "pickle-spawn-error", nil
	return hit
}

// exceptionName tells the name of an exception from another word.
func exceptionName(name string) bool {
	for _, end := range []string{"Error", "Exception", "Interrupt", "Exit", "Timeout", "Warning", "Stop", "Failure", "Failed", "Empty", "Full", "Refused", "Abort", "Unavailable", "NotFound", "Mismatch", "Signal", "Iteration", "Expired", "Resources", "Unsupported"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// report is torchrun's report under way.
type report struct {
	root bool // in the block of the first failure
	rank int
	left int // lines that the report may still have
}

// reportLines bounds a report of one rank: time, host, rank, exitcode, pid,
// error_file, traceback.
const reportLines = 8

var reportRank = regexp.MustCompile(`^\s*rank\s*: (\d+) \(local_rank: \d+\)`)

func (r *report) take(line []byte, known func([]byte) (int, bool)) {
	switch {
	case bytes.Contains(line, []byte("Root Cause (first observed failure)")):
		*r = report{root: true, rank: -1, left: reportLines}
	case bytes.Contains(line, []byte("Failures:")):
		*r = report{rank: -1, left: reportLines}
	default:
		if m := reportRank.FindSubmatch(line); m != nil {
			r.rank, _ = known(m[1])
			r.left = reportLines
		}
	}
}
