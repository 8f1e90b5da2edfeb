package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Options say where paths are looked up.
type Options struct {
	// Stdin is what the path "-" reads; without it "-" is refused.
	Stdin io.Reader
	// FS holds the paths; nil means the files of this machine. The demo reads
	// its embedded files this way.
	FS fs.FS
	// Name stands for the paths in the health of the source where they would
	// tell nobody anything: "demo".
	Name string
}

// Files reads a fixed list of files and folders once.
type Files struct {
	paths []string
	disk  disk
	stdin io.Reader
	name  string

	mu      sync.Mutex
	index   map[objectKey]place
	summary Summary
	// kept counts the bytes of objects from standard input that are held, since
	// it cannot be read twice.
	kept int
}

var _ sources.Source = (*Files)(nil)

// New prepares to read the paths, each a file, a folder, "-" for standard
// input, or RANK=path.
func New(paths []string, o Options) *Files {
	f := &Files{paths: paths, stdin: o.Stdin, name: o.Name, disk: machine{}}
	if o.FS != nil {
		f.disk = embedded{o.FS}
	}
	return f
}

// Run reads every path in the order given, tells the sink all objects, the
// instant they were taken at and how each path went, and returns. The error
// is not nil when nothing at all could be read, or when the context ended.
func (f *Files) Run(ctx context.Context, sink sources.Sink) error {
	run := &reading{files: f, ctx: ctx, out: newBatch(sink)}
	f.mu.Lock()
	f.index, f.summary, f.kept = map[objectKey]place{}, Summary{Objects: map[schema.GroupKind]int{}}, 0
	f.mu.Unlock()
	for _, path := range f.paths {
		sink.Apply(store.HealthChanged{Health: train.Health{Source: f.healthName(path), State: train.SourceListing}})
	}
	for _, path := range f.paths {
		run.path(path)
		if ctx.Err() != nil {
			return nil // the reader left; that is no failure
		}
	}
	run.out.flush()
	if len(f.paths) > 0 && run.understood == 0 {
		return run.failure()
	}
	return nil
}

// stdinPath is the argument that stands for standard input.
const stdinPath = "-"

// reading is one run over all paths.
type reading struct {
	files      *Files
	ctx        context.Context
	out        *batch
	understood int // files that held Kubernetes objects, or could have
	failures   []string
}

// path reads one argument and reports its health.
func (r *reading) path(path string) {
	if path == stdinPath {
		r.stdin()
		return
	}
	_, name := splitRank(r.files.disk, path)
	info, err := r.files.disk.Stat(name)
	switch {
	case err != nil:
		r.report(path, report{err: explainOpen(err)})
	case info.IsDir():
		r.folder(path, name)
	default:
		r.report(path, r.file(name))
	}
}

func (r *reading) stdin() {
	if r.files.stdin == nil {
		r.report(stdinPath, report{err: errors.New("standard input is not available here; name a file instead")})
		return
	}
	interruptible := newInterruptible(r.ctx, r.files.stdin)
	r.report(stdinPath, r.stream(stdinPath, interruptible))
}

// folder reads every file below a folder. Files that hold something else are
// only counted, since a folder of a dump also holds logs; files that fail get
// a line of their own.
func (r *reading) folder(path, name string) {
	files, unreadable := walk(r.files.disk, name)
	total, other, failed := report{}, foreign{}, 0
	fail := func(file string, got report) {
		if failed++; failed <= maxFileHealths {
			r.report(file, got)
		} else {
			r.problems(file, got)
		}
	}
	for _, folder := range unreadable {
		fail(folder.File, report{err: errors.New(folder.Text)})
	}
	for _, file := range files {
		if r.ctx.Err() != nil {
			return
		}
		got := r.file(file)
		total.objects, total.unknown = total.objects+got.objects, total.unknown+got.unknown
		if got.foreign != "" {
			other.add(file, got.foreign)
			r.files.count(func(s *Summary) { s.OtherFiles++ })
			continue
		}
		if got.trouble() {
			fail(file, got)
		}
		if got.understood() {
			total.read = true
		}
	}
	total.note = folderNote(len(files), other, failed)
	if !total.read {
		total.err = errors.New("no Kubernetes objects in this folder: " + total.note)
	}
	r.report(path, total)
}

// maxFileHealths bounds how many files of one folder get a health of their own.
const maxFileHealths = 20

// report is how one file went.
type report struct {
	objects, unknown int    // unknown: of kinds that say nothing about training
	read             bool   // Kubernetes objects were found, or an empty list
	foreign          string // what it is when it holds no objects at all: "plain text"
	note             string
	broken           []Problem // documents that could not be read, the first maxProblems
	failed           int       // all of them
	err              error     // why it could not be read, or not to its end
}

func (r report) understood() bool { return r.read || r.objects > 0 }
func (r report) trouble() bool    { return r.err != nil || r.failed > 0 || r.foreign != "" }

// report tells how a path or a file of a folder went.
func (r *reading) report(path string, got report) {
	source := r.files.healthName(path)
	health := train.Health{Source: source, State: train.SourceRead, Text: got.text(strings.TrimPrefix(source, "file "))}
	if got.trouble() {
		health.State = train.SourceFailed
	}
	if got.understood() {
		r.understood++
	} else if len(r.failures) < 5 {
		r.failures = append(r.failures, health.Text)
	}
	r.problems(path, got)
	r.files.count(func(s *Summary) { s.Files++ })
	r.out.add(store.HealthChanged{Health: health})
}

func (r *reading) failure() error {
	if len(r.failures) == 0 {
		return errors.New("nothing was read")
	}
	return fmt.Errorf("nothing could be read: %s", strings.Join(r.failures, "; "))
}

// healthName names a path in the health of the source.
func (f *Files) healthName(path string) string {
	if f.name != "" && slices.Contains(f.paths, path) {
		return f.name
	}
	return "file " + plain(path)
}

// batch gathers events, since one Apply costs the store a lock and a wake-up.
type batch struct {
	sink    sources.Sink
	events  []store.Event
	instant time.Time // newest told so far
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
	if at.After(b.instant) {
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
