package signatures

import (
	"bytes"
	"regexp"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// writer is one writer of a log: a rank, or all writers without a prefix together.
type writer struct {
	traceback traceback
	report    report
	// rank is the rank that an earlier line named for the next traceback, or -1.
	rank int
	// saving is the line that announced that a checkpoint is saved, 0 for none.
	saving int64
	// tasks is the line that announced a list of tasks that stopped, 0 for none.
	tasks int64
	// recorded is the line of an error record that named an exception, 0 for none.
	recorded int64
	// launcher is true after it reported the end of a child: exceptions after
	// that are its own.
	launcher bool
}

// unhealthyTask is the row for a task in JAX's list of those that stopped.
const unhealthyTask = "jax-unhealthy"

// longestTaskList bounds the lines of that list.
const longestTaskList = 64

// listsTasks reports whether a line may be part of such a list.
func (w *writer) listsTasks(line int64) bool { return w.tasks > 0 && line-w.tasks <= longestTaskList }

// sinceSaving is within how many lines after "saving checkpoint" a traceback counts
// as a failure to save it.
const sinceSaving = 4

// traceback is the open Python traceback.
type traceback struct {
	open         bool
	ignored      bool // only reported: in __del__, at exit
	wrapper      bool // a launcher raises it for a child that ended
	chained      bool // an earlier exception is the cause
	seen         bool // this chain already has a hit
	frame        string
	foreignLines int // lines since the last one that belongs to it
	// saving is true if a frame is in a function that saves something.
	saving bool
	// storing is true if it is a function that saves a checkpoint.
	storing bool
	// spawned is true if the innermost frame reads what the parent process
	// sends: what is missing could not be pickled there.
	spawned bool
	// fetching is true if a frame is in an HTTP client, service if one is in a
	// client of another service than one for data and models.
	fetching, service bool
	// met are the frameFacts that the frames allow, a bit each.
	met uint16
	// tracker is true if the innermost frames are an experiment tracker's and what
	// it calls: no code of the person's own is below it.
	tracker bool
	// waiting is the row for a program that a person stopped while its innermost
	// frames waited for other ranks, "" for none.
	waiting string
	// storage is the hit of a storage error whose traceback, cut off at its top,
	// follows; the frames show what the program was doing.
	storage train.LogHit
	// last is its newest line, which becomes a hit if the log ends there.
	last train.LogHit
	// mixed is true if another speaker wrote a line since its last one.
	mixed bool
	// ofRank is one more than the rank that the line of its head names, 0 for none.
	ofRank int
	// framed is true after a frame, raises if the frame's code has a raise.
	framed, raises bool
	form
}

// maxStrange is how many lines of others may come between those of a traceback:
// several processes write into one log.
const maxStrange = 12

var (
	frameLine     = regexp.MustCompile(`^[\s|]*File "([^"]+)", line (\d+)(?:, in (\S+))?`)
	exceptionLine = regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)*_?([A-Z]\w*)(?::\s?(.*))?$`)
	// lowerError matches names of exceptions without a capital: socket.timeout,
	// zlib.error, struct.error, cv2.error.
	lowerError = regexp.MustCompile(`^[a-z_]\w*(?:\.\w+)*\.(?:timeout|error|gaierror|herror)(?::|$)`)
	// multiprocessing is the file in whose _main a spawned child begins (Python
	// Lib/multiprocessing/spawn.py, 3.4 to 3.13).
	multiprocessing = regexp.MustCompile(`multiprocessing[/\\]spawn\.py$`)
	// httpClient matches packages that fetch over HTTP, trackerCode experiment
	// trackers, otherService packages that use HTTP for other services.
	httpClient   = regexp.MustCompile(`[/\\](?:urllib3|requests|huggingface_hub|aiohttp|httpx|httpcore|botocore|fsspec|gcsfs|s3fs|urllib[/\\]request\.py)(?:[/\\]|$)`)
	trackerCode  = regexp.MustCompile(`[/\\](?:wandb|mlflow|comet_ml|clearml|neptune|swanlab|aim)[/\\]`)
	otherService = regexp.MustCompile(`[/\\](?:wandb|kubernetes|kubernetes_asyncio|mlflow|comet_ml|clearml|neptune|ray|docker)[/\\]`)
	// collective matches the file whose functions wait for the other ranks;
	// starting matches those that wait for the ranks to join (PyTorch 1.0 to 2.9).
	collective = regexp.MustCompile(`torch[/\\]distributed[/\\]distributed_c10d\.py$`)
	starting   = regexp.MustCompile(`^(?:init_process_group|_store_based_barrier|_new_process_group_helper)$`)
	// noAnswer matches Python's errors of a connection that fails.
	noAnswer = regexp.MustCompile(`^(?:socket\.)?(?:timeout|TimeoutError|gaierror)\b|^Connection(?:Refused|Reset|Aborted)Error: |^OSError: \[Errno (?:101|110|111|113)\]|^(?:http\.client\.)?RemoteDisconnected: |^httpx?(?:core)?\.(?:Connect|Read|Write|Pool)Timeout\b|^httpx?(?:core)?\.(?:ConnectError|ReadError|RemoteProtocolError|ProxyError)\b|^ssl\.SSL\w*Error: `)
)

func (t *traceback) begin() {
	keep := traceback{open: true, ignored: t.ignored, chained: t.chained, seen: t.seen && t.chained}
	if t.chained {
		keep.storage = t.storage
	}
	*t = keep
}

// sinceRecorded is within how many lines after an error record named its exception the
// record's traceback follows.
const sinceRecorded = 4

// errorRecord matches the message of an error record: torchelastic writes the exception of a
// child as JSON, the traceback after it (torch/distributed/elastic/multiprocessing/errors).
var errorRecord = regexp.MustCompile(`^\s*"message": "((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt)\b:? ?.*?)",?\s*$`)

// recordedException returns the exception that an error record names, nil for another line.
func recordedException(text []byte) []byte {
	if !bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte(`"message": "`)) {
		return nil
	}
	if m := errorRecord.FindSubmatch(text); m != nil {
		return m[1]
	}
	return nil
}

// cutTraceback is the row for a traceback whose exception is not in the log.
const cutTraceback = "python-cut"

// at keeps a line of the open traceback.
func (t *traceback) at(line int64, when time.Time, p prefixed) {
	if t.open && t.foreignLines == 0 {
		t.last = train.LogHit{Signature: cutTraceback, Cause: "python-exception", Line: line, Time: when, Text: shown(p.text), Rank: max(p.rank, t.ofRank-1)}
	}
}

// cut returns a hit if the log ends within a traceback: something went wrong there. It
// returns none for a traceback that was only reported, that follows from an exception
// with a hit, or that a launcher raises for its child.
func (w *writer) cut() (train.LogHit, bool) {
	t := &w.traceback
	if w.recorded > 0 && t.last.Line-w.recorded <= sinceRecorded {
		return train.LogHit{}, false // the frames of that exception
	}
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

// printedOnly are functions that Python itself calls and whose exceptions it prints before it
// goes on: finalisers, and those of multiprocessing at exit (multiprocessing/util.py, 3.4 to
// 3.14).
var printedOnly = map[string]bool{"__del__": true, "_run_finalizers": true}

// addFrame adds a frame; the innermost one of the person's own code is kept.
func (t *traceback) addFrame(line []byte) {
	outermost := t.open && !t.framed
	if !t.open {
		t.begin()
	}
	t.foreignLines, t.mixed, t.framed, t.raises = 0, false, true, false
	m := frameLine.FindSubmatch(line)
	t.ignored = t.ignored || outermost && m != nil && printedOnly[string(m[3])]
	t.saving = t.saving || m != nil && bytes.Contains(m[3], []byte("save"))
	t.storing = t.storing || m != nil && bytes.Contains(m[3], []byte("save_checkpoint"))
	if m != nil {
		t.fetching = t.fetching || httpClient.Match(m[1])
		t.met = noteFrame(t.met, m[1], m[3])
		t.service = t.service || otherService.Match(m[1])
	}
	if m != nil && collective.Match(m[1]) {
		t.waiting = interruptedCollective
		if starting.Match(m[3]) {
			t.waiting = interruptedRendezvous
		}
	}
	t.spawned = m != nil && string(m[3]) == "_main" && multiprocessing.Match(m[1])
	foreign := m == nil || foreignCode(string(m[1]))
	t.tracker = m != nil && foreign && (t.tracker || trackerCode.Match(m[1]))
	if foreign {
		return
	}
	t.frame = frameName(m[1], m[2], m[3])
}

// frameName formats a frame: "train.py:12 in main".
func frameName(file, line, function []byte) string {
	name := base(string(file)) + ":" + string(line)
	if len(function) > 0 && string(function) != "<module>" {
		name += " in " + string(function)
	}
	return shown([]byte(name))
}

// foreignCode reports whether a file belongs to Python or an installed package.
func foreignCode(path string) bool {
	for _, of := range []string{"site-packages/", "dist-packages/", "/lib/python", "<frozen", "<string>", "/opt/conda/bin/", "/usr/local/bin/", "/usr/bin/", "/bin/torchrun", "/bin/accelerate", "/bin/deepspeed", "torch/distributed/"} {
		if strings.Contains(path, of) {
			return true
		}
	}
	return false
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// exception reports whether a line ends the traceback: "ValueError: text". Indented
// lines belong to a frame, lines of another form to other speakers.
func (t *traceback) exception(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) == 0 || line[0] == ' ' || line[0] == '\t' {
		t.raises = t.raises || bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("raise "))
		t.storing = t.storing || bytes.Contains(line, []byte("torch.save(")) || bytes.Contains(line, []byte("save_checkpoint("))
		t.saving = t.saving || t.storing || bytes.Contains(line, []byte(".save("))
		t.foreignLines++
	} else if m := exceptionLine.FindSubmatch(line); m != nil && (exceptionName(string(m[1])) || t.endsIn(line)) || lowerError.Match(line) {
		return true
	} else {
		t.foreignLines++
		t.mixed = true
	}
	if t.foreignLines > maxStrange {
		*t = traceback{}
	}
	return false
}

// ownName matches an exception whose name has no known ending, with its module.
var ownName = regexp.MustCompile(`^([A-Za-z_]\w*\.)*[A-Z]\w*[a-z]\w*(?::\s|$)`)

// endsIn reports whether a line that follows frames ends the traceback whatever its
// name is: it is in a module, or the innermost frame raises it. The exceptions of an
// exception group follow the group's own line.
func (t *traceback) endsIn(line []byte) bool {
	m := ownName.FindSubmatch(line)
	return m != nil && (len(m[1]) > 0 || t.raises) && t.framed && !t.mixed && t.foreignLines > 0 && !bytes.Contains(line, []byte(" sub-exception"))
}

// storageError matches errors of a failing storage, not of the program: EIO, ECOMM,
// EBADMSG, ENOTCONN, ESHUTDOWN, EHOSTDOWN, ESTALE, EUCLEAN, EREMOTEIO, ENOMEDIUM (Linux
// errno.h). A socket may also
// be not connected, or its host down, but its error names no file.
var storageError = regexp.MustCompile(`(?:read|write)\(\): fd \d+ failed with (?:Stale file handle|Transport endpoint is not connected)|\[Errno 37\] No locks|\[Errno (?:5|70|74|116|117|121|123)\]|\[Errno (?:107|108|110|112)\] [^\n]*'/`)

// storageRead is the row for a storage that failed during any other operation.
const storageRead = "storage-read"

// checkpointStorage is the row for a storage that failed while a checkpoint was
// written, which only the traceback shows.
const checkpointStorage = "checkpoint-storage"

// ofStorage changes an exception's hit for a checkpoint that is being written.
func ofStorage(hit train.LogHit) (storage train.LogHit, failed bool) {
	if !strings.Contains(hit.Text, "[Errno ") && !strings.Contains(hit.Text, ": fd ") || !storageError.MatchString(hit.Text) {
		return hit, false
	}
	hit.Signature, hit.Cause = checkpointStorage, "checkpoint-write-failed"
	return hit, true
}

// ofCheckpoint changes the match of a file that may not be written, where it is a
// checkpoint: the frames show that one was being saved.
func (t *traceback) ofCheckpoint(m Match) Match {
	if t.storing && m.Signature == "file-denied" {
		m.Signature, m.Cause, m.Captures = checkpointStorage, "checkpoint-write-failed", nil
	}
	return m
}

// fetchFailed is the row for a connection that failed during a download, which only
// the frames show.
const fetchFailed = "fetch-failed"

// ofFetch changes an exception's hit inside an HTTP client.
func (t *traceback) ofFetch(hit train.LogHit) (fetch train.LogHit, failed bool) {
	if !t.fetching || t.service || !noAnswer.MatchString(hit.Text) {
		return hit, false
	}
	hit.Signature, hit.Cause, hit.Captures = fetchFailed, "dataset-download-failure", nil
	return hit, true
}

// trackerFailed is the row for an experiment tracker that failed, which only the
// frames show.
const trackerFailed = "tracker-failed"

// wrongCall matches exceptions of a caller's own mistakes, of files and of memory:
// they are not the tracker's, though it raises them.
var wrongCall = regexp.MustCompile(`^(?:[A-Za-z_]\w*\.)*(?:TypeError|ValueError|AttributeError|KeyError|IndexError|AssertionError|NameError|ImportError|ModuleNotFoundError|NotImplementedError|KeyboardInterrupt|SystemExit|FileNotFoundError|FileExistsError|PermissionError|MemoryError|RecursionError|UnicodeDecodeError|(?:Usage)?Error: You must call |OSError: \[Errno (?:2|12|13|17|20|21|23|24|28|30|122)\])`)

// ofTracker changes an exception's hit inside an experiment tracker.
func (t *traceback) ofTracker(hit train.LogHit) (tracked train.LogHit, is bool) {
	if !t.tracker || wrongCall.MatchString(hit.Text) {
		return hit, false
	}
	hit.Signature, hit.Cause, hit.Captures = trackerFailed, "wandb-timeout", nil
	return hit, true
}

// The rows for a program that somebody stopped while it waited for other ranks,
// which only the frames show.
const (
	interruptedCollective = "interrupted-collective"
	interruptedRendezvous = "interrupted-rendezvous"
)

// ofInterrupt changes the hit of a KeyboardInterrupt where ranks wait.
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

// ofSpawn changes an exception's hit in a spawned child, which reads its work before
// it does anything else.
func ofSpawn(hit train.LogHit) train.LogHit {
	hit.Signature, hit.Cause, hit.Captures = "spawn", "pickle-spawn-error", nil
	return hit
}

// exceptionName reports whether a word is the name of an exception.
func exceptionName(name string) bool {
	for _, end := range []string{"Error", "Exception", "Interrupt", "Exit", "Timeout", "Warning", "Stop", "Failure", "Failed", "Empty", "Full", "Refused", "Abort", "Unavailable", "NotFound", "Mismatch", "Signal", "Iteration", "Expired", "Resources", "Unsupported", "Invalid"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}
