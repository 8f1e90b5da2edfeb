package dump

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Options configure the paths and how they are read.
type Options struct {
	// Stdin is read for the path "-"; without it "-" is refused.
	Stdin io.Reader
	// FS contains the paths; nil means the files of this machine. It serves
	// files that are embedded in a program.
	FS fs.FS
	// Name replaces the paths in the health of the source if they would be
	// meaningless to people: "demo".
	Name string
	// Follow keeps reading logs that grow, until the context ends.
	Follow bool
	// Logs configure how log files are parsed, including the user's own
	// formats.
	Logs logfeed.Options
	// Now dates the states of logs; without it they have no date.
	Now func() time.Time
	// ListWithin limits the time in which the files of all folders are listed,
	// AnswerWithin that in which each path that is given answers: its file system,
	// and the program that writes to a pipe. 0 means no limit.
	ListWithin, AnswerWithin time.Duration
}

// Files reads a fixed list of files and folders: objects once, logs once or as
// long as they grow.
type Files struct {
	paths  []string
	real   []string // without links, and without a rank, as far as they are there
	disk   disk
	stdin  io.Reader
	name   string
	follow bool
	logs   logfeed.Options
	// secrets are those that objects declare, known once all objects were read.
	secrets                declared.Values
	secretsKnown           atomic.Bool
	now                    func() time.Time
	texts                  bool
	podEvents, otherEvents []fileEvent // what happened to pods and to other objects, where texts count
	// measures: texts without GPUs are listed.
	measures   bool
	unmeasured []Unmeasured
	badPages   []Problem
	// findRank is set by FindRanks.
	findRank func(rank int) (RankOwner, string)
	// pasted is a copy of standard input, which cannot be read twice, if texts
	// count and it is small; nil otherwise.
	pasted []byte

	// again delivers logs to be read from the beginning again, reformed that
	// all are because the formats changed.
	again    chan train.StreamID
	reformed chan struct{} // of capacity one

	mu      sync.Mutex
	index   map[objectKey]place
	twice   readTwice
	gone    map[deletedKey]bool
	summary Summary
	reports map[string]report // result of each path
	// kept counts the bytes of objects kept from standard input, since it
	// cannot be read twice.
	kept int
	// held is how many bytes of text the kept objects had.
	held int64
	most int // objects
	// mostListed bounds the files of one folder, listWithin the listing of all.
	mostListed               int
	listWithin, answerWithin time.Duration
}

var _ sources.Source = (*Files)(nil)

// New prepares to read the paths, each a file, a folder, "-" for standard
// input, or RANK=path.
func New(paths []string, o Options) *Files {
	f := &Files{most: maxObjects, mostListed: maxListed, listWithin: o.ListWithin, answerWithin: o.AnswerWithin, paths: paths, stdin: o.Stdin, name: o.Name, disk: machine{}, follow: o.Follow, logs: o.Logs, now: o.Now, again: make(chan train.StreamID, 64), reformed: make(chan struct{}, 1)}
	f.secrets.Everywhere = true // files do not always name the namespace of a log
	f.logs.Secrets = f.secrets.In("")
	if f.now == nil {
		f.now = func() time.Time { return time.Time{} }
	}
	if o.FS != nil {
		f.disk = embedded{o.FS}
	}
	given := givenInTime(f.disk, paths, o.AnswerWithin)
	f.paths, f.real = given.paths, given.real
	return f
}

// TakeTexts makes files with kubectl output for people (tables, descriptions,
// parts of objects) count as text to be read line by line. Call it before Run.
func (f *Files) TakeTexts() { f.texts = true }

// Run reads every path in the given order. It applies all objects, the instant
// of the dump and the health of each path, and then reads the logs, several at
// once. It returns when all is read, or, with Options.Follow and log files
// among the paths, when the context ends. It returns an error if nothing at
// all could be read.
func (f *Files) Run(ctx context.Context, sink sources.Sink) error {
	late := eventmask.NewLate(sink, &f.secrets)
	sink = late
	run := &fileReader{files: f, ctx: ctx, out: newBatch(sink), logs: f.newLogReader(sink), given: map[int]string{}, asking: make(chan struct{}, mostAsked)}
	if now := f.now(); !now.IsZero() {
		run.out.ahead.until = now.Add(farAhead)
	}
	f.mu.Lock()
	f.index, f.summary, f.kept, f.held = map[objectKey]place{}, Summary{Objects: map[schema.GroupKind]int{}}, 0, 0
	f.twice, f.gone = readTwice{}, map[deletedKey]bool{}
	f.reports, f.unmeasured, f.podEvents, f.otherEvents = map[string]report{}, nil, nil, nil
	f.mu.Unlock()
	for _, path := range f.paths {
		sink.Apply(store.HealthChanged{Health: train.Health{Source: f.healthName(path), State: train.SourceListing}})
	}
	if run.paths(); ctx.Err() != nil {
		return nil // the reader left, which is no failure
	}
	for _, folder := range run.folders {
		run.settleFolder(folder)
	}
	run.out.believeMost()
	run.joinEventTables()
	run.applyMetrics()
	run.reportAhead()
	run.reportTwice()
	run.reportLeftOut()
	run.out.flush()
	late.SetKnown(true)
	f.secretsKnown.Store(true)
	run.logs.objects = len(f.Summary().Objects) > 0
	if len(f.paths) > 0 && run.understood == 0 {
		return run.failure()
	}
	run.readLogs()
	run.reportLeftOut()
	run.out.flush()
	return nil
}

// Declared returns the secrets that objects declare in plain sight, and a function
// that reports whether all objects were read.
func (f *Files) Declared() (secrets *declared.Values, known func() bool) {
	return &f.secrets, f.secretsKnown.Load
}

// reportLeftOut reports in health what was left out since the last call: health
// is in every answer, on the screen of sources, and in a recording.
func (r *fileReader) reportLeftOut() {
	all := r.files.Summary().LeftOut
	for ; r.leftOut < len(all); r.leftOut++ {
		left := all[r.leftOut]
		r.out.add(store.HealthChanged{Health: train.Health{
			Source: train.SkippedIn(r.files.healthName(left.File), r.leftOut+1), State: train.SourceRead, Text: left.String(), Since: r.files.now(),
		}})
	}
}

// ReadAgain reads a log from its beginning again, since more of it may be kept
// now. It returns at once, and only has an effect while Run follows, for logs
// that are files.
func (f *Files) ReadAgain(id train.StreamID) {
	select {
	case f.again <- id:
	default: // no person makes so many requests at once
	}
}

// UseFormats parses logs with other formats from now on, and reads those that are
// files from their beginning again. A log from standard input goes on as it was
// begun. It returns at once whether all can be read again, and only has an effect
// while Run follows.
func (f *Files) UseFormats(o formats.Options) (all bool) {
	f.mu.Lock()
	f.logs.Formats = o
	f.mu.Unlock()
	select {
	case f.reformed <- struct{}{}:
	default: // they will be read again anyway
	}
	return !slices.Contains(f.paths, stdinPath)
}

// parsing returns how logs are parsed now.
func (f *Files) parsing() logfeed.Options {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.logs
}

// stdinPath is the argument for standard input.
const stdinPath = "-"

// stdinName is the name of a log from standard input.
const stdinName = "standard input"

// fileReader is one run over all paths.
type fileReader struct {
	files      *Files
	ctx        context.Context
	out        *batch
	logs       *logReader
	folders    []*folder
	listed     time.Duration // spent on listing folders
	measured   metricFiles
	understood int // files with objects, a log or metrics, or possibly so
	failures   []string
	given      map[int]string // the path of each rank that a person gave
	empty      int            // paths that are empty files
	unread     int            // of the failures: files that could not be read
	leftOut    int            // notes of what was left out that were reported
	asking     chan struct{}  // one for each path that is asked for now
	piped      bool           // a pipe was read since one was waited for in vain
}

// paths asks for all arguments, and reads them in their order until the context ends.
func (r *fileReader) paths() {
	var reads []func()
	for _, path := range r.files.paths {
		reads = append(reads, r.path(path))
	}
	for _, read := range reads {
		if read(); r.ctx.Err() != nil {
			return
		}
	}
}

// path asks for one argument, and returns what reads it and reports its health.
func (r *fileReader) path(path string) func() {
	if path == stdinPath {
		return r.stdin
	}
	rank, name := splitRank(r.files.disk, path)
	if before, twice := r.given[rank]; twice {
		return func() {
			r.report(path, report{err: fmt.Errorf("rank %d was given before, as %s; give each rank one log", rank, plain(before))})
		}
	}
	if rank >= 0 {
		r.given[rank] = path
	}
	answer := r.ask(name)
	return func() { r.answered(path, name, rank, answer()) }
}

// answered reads an argument that its file system and the program behind it answered for.
func (r *fileReader) answered(path, name string, rank int, got pathAnswer) {
	switch {
	case errors.Is(got.err, errLate):
		r.report(path, report{err: fmt.Errorf("its file system did not answer within %s; see whether it is mounted, or wait longer with --request-timeout", r.files.answerWithin)})
	case got.err != nil:
		r.report(path, report{err: explainOpen(got.err)})
	case got.info.IsDir():
		r.folder(path, name)
	case r.isStream(got.info):
		r.pipe(path, name, rank, got)
	default:
		got := r.mayGrow(r.file(name))
		if got.log {
			r.logs.add(path, name, nil, rank)
		}
		r.report(path, got)
	}
}

// mayGrow takes a plain file that is empty for a log that begins later, where logs are
// followed.
func (r *fileReader) mayGrow(got report) report {
	if got.foreign == emptyFile && r.files.follow {
		return report{log: true}
	}
	return got
}

func (r *fileReader) stdin() {
	if r.files.stdin == nil {
		r.report(stdinPath, report{err: errors.New("standard input is not available here; name a file instead")})
		return
	}
	var in io.Reader = newInterruptible(r.ctx, r.files.stdin)
	if r.files.texts {
		in = r.files.keepPasted(in)
	}
	r.report(stdinPath, r.stream(stdinPath, stdinPath, in, -1))
}

// pipe reads a named pipe or the shell's <(command). It stays open until the
// program ends: a log in it is read later. Once a program writes to it, it is read
// for as long as that writes. A device is read until it is silent.
func (r *fileReader) pipe(path, name string, rank int, got pathAnswer) {
	text, err := r.wait(got.opening)
	switch {
	case errors.Is(err, errLate) && got.info.Mode()&fs.ModeNamedPipe == 0:
		r.report(path, report{err: fmt.Errorf("it could not be opened within %s; see what it waits for, or wait longer with --request-timeout", r.files.answerWithin)})
		return
	case errors.Is(err, errLate):
		err = fmt.Errorf("nobody opened this pipe to write within %s; start the program that writes to it, or wait longer with --request-timeout", r.files.answerWithin)
		fallthrough
	case err != nil:
		r.report(path, report{err: explainOpen(err)})
		return
	}
	read := r.stream(path, name, text, rank)
	if got.info.Mode().IsRegular() && !read.log {
		if read = r.mayGrow(read); read.log {
			r.logs.add(path, name, nil, rank)
		}
	}
	r.report(path, read)
}

// folder describes the files below an argument.
type folder struct {
	path, name string // as given, and without a rank
	files      int
	hidden     []string     // files and folders that were not read
	left       string       // which links led to files elsewhere
	texts      []folderFile // possible logs
	unreadable []folderFile // not text
	empties    []string     // files of 0 bytes, or of blanks
	total      report
	other      foreign
	failed     int
}

// folderFile is a file of a folder that is classified by its name once the
// pods are known.
type folderFile struct {
	path string
	got  report
}

// folder reads every file below a folder. Files of another type are only
// counted, since a dump's folder also has notes and tables; files that fail
// get a line of their own.
func (r *fileReader) folder(path, name string) {
	l := r.list(name)
	f := &folder{path: path, name: name, files: len(l.files), hidden: l.hidden, left: l.leftNote()}
	r.folders = append(r.folders, f)
	for _, inner := range l.problems {
		r.fail(f, inner.File, report{err: errors.New(inner.Text)})
	}
	for _, file := range l.files {
		if r.ctx.Err() != nil {
			return
		}
		got := r.file(file)
		f.total.objects, f.total.unknown = f.total.objects+got.objects, f.total.unknown+got.unknown
		switch {
		case got.log:
			f.texts = append(f.texts, folderFile{file, got})
			f.total.lacks = cmp.Or(f.total.lacks, got.lacks)
		case got.foreign != "" && got.unreadable:
			f.unreadable = append(f.unreadable, folderFile{file, got}) // the pods show whose it is
		case got.foreign == emptyFile:
			f.empties = append(f.empties, file) // its name shows whether it is a rank's
		case got.foreign != "":
			r.other(f, file, got.foreign)
		case got.trouble():
			r.fail(f, file, got)
		case got.metrics:
			r.addUnmeasured(file, got)
		}
		if got.aside != "" {
			r.files.leftOut(Problem{File: file, Text: got.aside})
		}
		f.total.read = f.total.read || got.understood()
	}
}

func (r *fileReader) other(f *folder, file, what string) {
	f.other.add(file, what)
	r.files.count(func(s *Summary) { s.OtherFiles++ })
}

func (r *fileReader) fail(f *folder, file string, got report) {
	if f.failed++; f.failed <= maxFileHealths {
		r.report(file, got)
	} else {
		r.problems(file, got)
	}
}

// settleFolder finds the logs of a folder, now that the pods are known, and
// reports its health.
func (r *fileReader) settleFolder(f *folder) {
	others := slices.ContainsFunc(f.texts, func(text folderFile) bool { return !trackersOwnLog.MatchString(text.path) })
	for _, text := range f.texts {
		if others && trackersOwnLog.MatchString(text.path) {
			r.other(f, text.path, "the log of W&B itself, not of the program that it tracks")
			continue
		}
		isLog := looksLikeLog(text.path, r.logs.pods) || r.readsAsLog(text.path)
		if isLog {
			r.addUnmeasured(text.path, text.got)
			r.logs.add(f.path, text.path, nil, -1)
			f.total.log = true
		}
		switch problem := text.got; {
		case problem.failed > 0 && (isLog || problem.noLog == "" || hidesObjects(text.path, problem)):
			r.fail(f, text.path, report{broken: problem.broken, failed: problem.failed})
		case !isLog:
			r.other(f, text.path, cmp.Or(problem.noLog, "text, and neither its name nor its lines are a log's"))
		}
	}
	for _, file := range f.empties {
		if (train.StreamID{File: file}).Previous() {
			r.other(f, file, noLifeBefore)
		} else if r.isRankLog(file) || wasRotated(file, f.texts) {
			r.logs.add(f.path, file, nil, -1)
			f.total.log = true
		} else {
			r.other(f, file, emptyFile)
		}
	}
	for _, file := range f.unreadable {
		if missed(file.path, r.logs.pods) {
			r.fail(f, file.path, file.got)
		} else {
			r.other(f, file.path, file.got.foreign)
		}
	}
	f.total.note = folderNote(f.files, f.hidden, f.other, f.failed)
	if f.other.files > 0 {
		r.files.leftOut(Problem{File: f.path, Text: f.other.text()})
	}
	if f.left != "" {
		r.files.leftOut(Problem{File: f.path, Text: f.left})
	}
	if len(f.hidden) > 0 {
		r.files.leftOut(Problem{File: f.path, Text: hiddenNote(f.hidden)})
	}
	if !f.total.read && !f.total.log {
		f.total.err = errors.New("no Kubernetes objects and no logs in this folder: " + f.total.note)
	}
	r.report(f.path, f.total)
}

// isRankLog reports whether the name of a file shows that it is the log of a pod or rank,
// which then printed nothing where the file is empty.
func (r *fileReader) isRankLog(file string) bool {
	if !looksLikeLog(file, r.logs.pods) {
		return false
	}
	id, namesakes := streamOf(file, r.logs.pods)
	return id.Pod != "" || len(namesakes) > 0 || rankOf(id).sure
}

// maxFileHealths limits how many files of one folder get a health of their
// own.
const maxFileHealths = 20

// report is the result of reading one file.
type report struct {
	objects, unknown int    // unknown: of kinds unrelated to training
	read             bool   // Kubernetes objects were found, or an empty list
	metrics          bool   // metrics of exporters and GPU tools
	page             bool   // an exporter's page with GPUs
	badPage          bool   // a page of an exporter, or an answer of Prometheus, with problems and no GPU
	log              bool   // a log, read when the pods are known
	lacks            string // limits of a text for people: "a table of kubectl get, which lacks most fields"
	aside            string // unread text around the objects
	noLog            string // why its lines are not a log either, same text as in broken
	answersNone      bool   // kubectl printed that there are no such objects
	foreign          string // its type if it has no objects: "plain text"
	note             string
	broken           []Problem // unreadable documents, the first maxProblems
	failed           int       // number of all of them
	err              error     // why it could not be read, or not to its end
	unreadable       bool      // not text, or entirely broken
	begins           string    // its first words, if no GPU was found and one was expected
	likeLog          bool      // with them: it has the content of a log
}

func (r report) understood() bool { return r.read || r.log || r.objects > 0 }
func (r report) trouble() bool    { return r.err != nil || r.failed > 0 || r.misplaced() }

// misplaced reports whether a file is of another type than what was expected. One that
// reports that there is nothing to read is not.
func (r report) misplaced() bool { return r.foreign != "" && r.foreign != noLifeBefore }

// report reports the health of a path or a file of a folder.
func (r *fileReader) report(path string, got report) {
	if got.foreign == emptyFile && (train.StreamID{File: path}).Previous() {
		got.foreign = noLifeBefore
	}
	if got.foreign == noLifeBefore && len(r.files.paths) == 1 {
		got.foreign = noLifeAlone
	}
	source := r.files.healthName(path)
	health := train.Health{Source: source, State: train.SourceRead, Text: got.text(strings.TrimPrefix(source, "file "))}
	if got.trouble() {
		health.State = train.SourceFailed
	}
	switch {
	case got.understood():
		r.understood++
	case len(r.failures) < 5:
		r.failures = append(r.failures, health.Text)
	}
	if got.foreign == emptyFile {
		r.empty++
	}
	if got.err != nil || got.unreadable {
		r.unread++
	}
	r.problems(path, got)
	r.addUnmeasured(path, got)
	r.addBadPage(path, got)
	if got.aside != "" {
		r.files.leftOut(Problem{File: path, Text: got.aside})
	}
	r.files.remembered(path, got)
	r.files.count(func(s *Summary) { s.Files++ })
	if got.log { // its health is reported when it has been read
		r.logs.note(path, got)
		return
	}
	r.out.add(store.HealthChanged{Health: health})
}

// remembered keeps the result of a path, for reading it as text later.
func (f *Files) remembered(path string, got report) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reports[path] = got
}

// reportOf returns the result of a path.
func (f *Files) reportOf(path string) report {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.reports[path]
}

// readLogs reads the logs found, and follows them.
func (r *fileReader) readLogs() {
	if len(r.logs.tails) == 0 {
		return
	}
	r.logs.joinRotated()
	r.logs.assign()
	wait := r.logs.readAll(r.ctx)
	defer wait()
	if r.files.follow && (len(r.folders) > 0 || r.logs.hasFiles()) {
		r.logs.followAll(r.ctx, r.newLogs, r.files)
	}
}

// newLogs finds new logs in the folders.
func (r *fileReader) newLogs() {
	r.listed = 0
	for _, f := range r.folders {
		for _, file := range r.list(f.name).files { // errors are reported already
			if !r.logs.has(file) && !r.logs.wasRead(file) && !trackersOwnLog.MatchString(file) && r.isLog(file) && (looksLikeLog(file, r.logs.pods) || r.readsAsLog(file)) {
				r.logs.add(f.path, file, nil, -1)
				r.logs.assign()
			}
		}
	}
}

// isLog reports whether a new file is a log.
func (r *fileReader) isLog(name string) bool {
	in, err := r.files.disk.Open(name)
	if err != nil {
		return false
	}
	defer in.Close() // read only, so this error loses nothing
	o, err := unpack(in)
	return err == nil && o.is == isLog
}

func (r *fileReader) failure() error {
	if len(r.failures) == 0 {
		return errors.New("nothing was read")
	}
	missed := slices.ContainsFunc(r.folders, func(f *folder) bool { return f.failed > 0 })
	return &NothingError{Texts: r.failures, Readable: r.unread == 0, Missed: missed, empty: r.empty == len(r.files.paths)}
}

// NothingError reports that no path had readable content.
type NothingError struct {
	// Texts describe the problem of at most five paths.
	Texts []string
	// Readable is true if every path was read to its end, and was empty or of
	// another type.
	Readable bool
	// Missed is true if files of a folder that may matter could not be read.
	Missed bool

	empty bool // every path is an empty file
}

func (e *NothingError) Error() string {
	if e.empty {
		return "there is nothing to read: " + strings.Join(e.Texts, "; ")
	}
	return "nothing could be read: " + strings.Join(e.Texts, "; ")
}

// healthName returns the name of a path in health.
func (f *Files) healthName(path string) string {
	if f.name != "" && slices.Contains(f.paths, path) {
		return f.name
	}
	return "file " + plain(path)
}

// batch collects events, since each Apply costs the store a lock and a
// wake-up.
type batch struct {
	sink    sources.Sink
	events  []store.Event
	instant time.Time // newest instant applied so far
	ahead   ahead
}

const batchSize = 512

func newBatch(sink sources.Sink) *batch { return &batch{sink: sink} }

func (b *batch) add(e store.Event) {
	if b.events = append(b.events, e); len(b.events) >= batchSize {
		b.flush()
	}
}

// clock moves the instant of the dump forward, never back.
func (b *batch) clock(at time.Time) {
	if !at.IsZero() && !b.ahead.holds(at) && at.After(b.instant) {
		b.instant = at
		b.events = append(b.events, store.Clock{Now: at})
	}
}

func (b *batch) flush() {
	if len(b.events) > 0 {
		b.sink.Apply(b.events...)
		b.events = nil
	}
}
