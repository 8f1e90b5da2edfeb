package dump

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// logReader reads the log files among the paths, and follows them.
type logReader struct {
	disk    disk
	sink    sources.Sink
	options logfeed.Options
	follow  bool
	now     func() time.Time
	health  func(arg string) string
	pods    pods
	tails   []*tail
	begun   bool // reading has begun
	objects bool // objects were read besides the logs
	// findRank finds the rank of a log that was given with it, nil for none;
	// leftOut reports what is not done as it was asked for.
	findRank func(rank int) (RankOwner, string)
	leftOut  func(Problem)
	silence  time.Duration // how long more is waited for of what may never end, 0 for ever
	buffers  sync.Pool

	mu sync.Mutex
	// args maps each argument to the progress of its logs.
	args map[string]*progress
}

// progress is how far the logs of one argument have been read.
type progress struct {
	// note describes other content found there: objects, other files; trouble
	// is true if some of it could not be read.
	note            string
	trouble         bool
	lacks           bool // a text for people is among them, which lacks most fields of objects
	files, done     int
	bytes, reported int64
	failed          []string
	growing         bool // one of them is followed
}

// pollEvery is how often files are polled, scanEvery after how many polls
// folders are searched for new ones.
const (
	pollEvery = 500 * time.Millisecond
	scanEvery = 8
)

func (f *Files) newLogReader(sink sources.Sink) *logReader {
	r := &logReader{
		disk: f.disk, sink: sink, options: f.parsing(), follow: f.follow, now: f.now, health: f.healthName,
		pods: pods{}, args: map[string]*progress{}, findRank: f.findRank, leftOut: f.leftOut, silence: f.answerWithin,
	}
	r.buffers.New = func() any { buf := make([]byte, copySize); return &buf }
	return r
}

// note keeps a description of the other content of an argument.
func (r *logReader) note(arg string, got report) {
	p := r.arg(arg)
	if got.objects > 0 || got.note != "" || got.failed > 0 || got.lacks != "" {
		p.note = strings.TrimPrefix(got.text(arg), shown(arg)+": ")
	}
	p.trouble = p.trouble || got.trouble()
	p.lacks = p.lacks || got.lacks != ""
}

// has reports whether a file is being read already.
func (r *logReader) has(path string) bool {
	return slices.ContainsFunc(r.tails, func(t *tail) bool { return t.path == path || slices.Contains(t.earlier, path) })
}

// hasFiles reports whether one of the logs is a file, which may still grow.
func (r *logReader) hasFiles() bool {
	return slices.ContainsFunc(r.tails, func(t *tail) bool { return t.in == nil })
}

// add adds a log. given is the rank from the argument, -1 for none.
func (r *logReader) add(arg, path string, in *opened, given int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &tail{reader: r, path: path, arg: arg, in: in, given: given}
	if info, err := r.disk.Stat(path); in == nil && err == nil { // reading it will report an error
		t.listed = info.Size()
	}
	r.tails = append(r.tails, t)
	r.arg(arg).files++
}

func (r *logReader) arg(name string) *progress {
	if r.args[name] == nil {
		r.args[name] = &progress{}
	}
	return r.args[name]
}

// assign determines the pods and ranks of the files.
func (r *logReader) assign() {
	ids, unclear := make([]train.StreamID, len(r.tails)), make([]bool, len(r.tails))
	for i, t := range r.tails {
		if t.in != nil {
			ids[i] = train.StreamID{File: t.path}
			continue
		}
		var namesakes []*pod
		ids[i], namesakes = streamOf(t.path, r.pods)
		if unclear[i] = len(namesakes) > 0 && t.given < 0; unclear[i] {
			r.reportUnclear(t, namesakes)
		}
	}
	for i, found := range ranksOfLogs(ids) {
		t := r.tails[i]
		if t.in != nil && r.begun {
			continue // it is being read, and nothing new in a folder changes its pod
		}
		t.id = ids[i]
		switch {
		case t.given >= 0:
			found = r.assignGiven(t)
		case t.id.Pod == "" && found.rank >= 0 && found.job != "" && t.in == nil && !unclear[i]:
			found = r.assignRank(t, found)
		}
		before := t.rank
		t.rank = found
		if len(t.fed) == 1 && t.fed[0].id == t.id && before != found { // already reported
			t.fed[0].logRank = found
			t.report(train.StreamStatus{State: t.state, Since: r.now()}, false)
		}
	}
}

// reportUnclear reports once that the name of a file is that of pods of several
// namespaces.
func (r *logReader) reportUnclear(t *tail, namesakes []*pod) {
	if t.unclear {
		return
	}
	t.unclear = true
	const most = 3
	var namespaces []string
	for _, p := range namesakes {
		namespaces = append(namespaces, p.namespace)
	}
	slices.Sort(namespaces)
	r.leftOut(Problem{File: t.path, Text: fmt.Sprintf("pods of several namespaces have this name, %s (%s), and it does not say which one's log it is; it is read by itself; name it NAMESPACE_POD.log, or put it into a folder of that namespace", plain(namesakes[0].name), plain(termtext.Few(namespaces, most)))})
}

// readAll reads every log file to its end, several at once, and starts reading
// streams, each in its own goroutine: they may last for days. wait returns
// when those have ended too.
func (r *logReader) readAll(ctx context.Context) (wait func()) {
	r.begun = true
	var streams, files sync.WaitGroup
	work := make(chan *tail)
	for range min(maxWorkers, len(r.tails)) {
		files.Go(func() {
			for t := range work {
				r.read(ctx, t)
			}
		})
	}
	for _, t := range r.tails {
		if t.in != nil {
			r.report(t.arg, train.SourceLive, "a log, as it comes")
			streams.Go(func() { r.read(ctx, t) })
			continue
		}
		work <- t
	}
	close(work)
	files.Wait()
	return streams.Wait
}

func (r *logReader) read(ctx context.Context, t *tail) {
	t.all(ctx)
	r.finished(t)
}

// followAll polls the files until the context ends. scan adds new logs in the
// folders, f reports which logs are to be read again.
func (r *logReader) followAll(ctx context.Context, scan func(), f *Files) {
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for look := 1; ; look++ {
		select {
		case <-ctx.Done():
			return
		case id := <-f.again:
			r.readAgain(ctx, func(log fedLog) bool { return log.id == id })
			continue
		case <-f.reformed:
			r.parse(f.parsing())
			r.readAgain(ctx, func(fedLog) bool { return true })
			continue
		case <-ticker.C:
		}
		if look%scanEvery == 0 {
			scan()
		}
		for _, t := range r.tails {
			t.look(ctx)
		}
	}
}

// parse changes how logs that begin from now on are parsed.
func (r *logReader) parse(o logfeed.Options) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.options = o
}

// newFeed begins a log.
func (r *logReader) newFeed(id train.StreamID) *logfeed.Feed {
	r.mu.Lock()
	defer r.mu.Unlock()
	return logfeed.NewFeed(r.sink, id, r.options)
}

// readAgain reads the files from their beginning of which one of the logs is meant.
func (r *logReader) readAgain(ctx context.Context, means func(fedLog) bool) {
	for _, t := range r.tails {
		if t.in == nil && slices.ContainsFunc(t.fed, means) {
			t.restart()
			t.all(ctx)
		}
	}
}

// progressStep is after how many bytes the progress is reported.
const progressStep = 16 << 20

// progress periodically reports how much of a long log has been read.
func (r *logReader) progress(t *tail, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.arg(t.arg)
	p.bytes += int64(n)
	if p.done == p.files || p.bytes-p.reported < progressStep {
		return
	}
	p.reported = p.bytes
	of, share := "", ""
	if t.info != nil && p.files == 1 && t.packed {
		share = fmt.Sprintf(", %d %% of the packed file", 100*t.stored.read/max(1, t.info.Size()))
	} else if t.info != nil && p.files == 1 {
		of = fmt.Sprintf(" of %d", t.info.Size()>>20)
	}
	r.report(t.arg, train.SourceListing, fmt.Sprintf("reading, %d%s MiB so far%s", p.bytes>>20, of, share))
}

// finished counts a log that was read to its end for the first time.
func (r *logReader) finished(t *tail) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.arg(t.arg)
	p.done++
	p.growing = p.growing || t.grows()
	if t.err != nil && len(p.failed) < 3 {
		p.failed = append(p.failed, shown(t.path)+": "+plain(explainOpen(t.err).Error()))
	}
	if p.done == p.files {
		r.settle(t.arg, p)
	}
}

// settle reports the health of an argument's logs. mu is held.
func (r *logReader) settle(arg string, p *progress) {
	text := termtext.Count(p.files, "log")
	if p.note != "" {
		text = p.note + "; " + text
	}
	state := train.SourceRead
	if p.growing {
		state, text = train.SourceLive, text+", followed"
	}
	if p.trouble || p.lacks && !r.objects || len(p.failed) > 0 {
		state = train.SourceFailed
	}
	for _, failed := range p.failed {
		if _, why, _ := strings.Cut(failed, ": "); !strings.Contains(text, why) { // the note may contain it
			text += "; " + failed
		}
	}
	r.report(arg, state, text)
}

func (r *logReader) report(arg string, state train.SourceState, text string) {
	r.sink.Apply(store.HealthChanged{Health: train.Health{Source: r.health(arg), State: state, Text: shown(arg) + ": " + text}})
}
