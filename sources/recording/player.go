package recording

import (
	"context"
	"sync"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
)

// Player shows a recording at any instant: each jump fills a new store, and
// playing continues in it. Any goroutine may call its methods; those that read
// the file wait for each other.
type Player struct {
	name  string
	clock func() time.Time

	reading sync.Mutex
	shown   sources.Sink // sink of the last jump, nil before the first

	mu   sync.Mutex // guards the fields that are read during loading
	file *File
	at   time.Time
}

// NewPlayer plays a file. Its health has the given name; "" reports no health.
// clock gives the time for events without a recorded one.
func NewPlayer(f *File, name string, clock func() time.Time) *Player {
	return &Player{file: f, name: name, clock: clock}
}

// Span returns the first and the last instant of the recording.
func (p *Player) Span() (from, to time.Time) {
	f := p.opened()
	return f.From(), f.To()
}

// At returns the instant replayed up to.
func (p *Player) At() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.at
}

func (p *Player) opened() *File {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.file
}

// Begin fills the first sink: it applies the state at an instant, the end if
// zero, and playing continues in that sink.
func (p *Player) Begin(ctx context.Context, sink sources.Sink, at time.Time) error {
	p.reading.Lock()
	defer p.reading.Unlock()
	return p.load(ctx, sink, at)
}

func (p *Player) load(ctx context.Context, sink sources.Sink, at time.Time) error {
	p.shown = nil
	f := p.opened()
	s := Source{File: f, At: at, Name: p.name}
	if err := s.publish(ctx, sink); err != nil {
		return err
	}
	p.shown = sink
	p.arrived(f)
	return nil
}

// arrived records the instant replayed up to.
func (p *Player) arrived(f *File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = f.At()
}

// Load returns a store with the state at an instant. before is a snapshot of
// the store that it replaces.
func (p *Player) Load(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	s := store.NewAfter(p.clock, before)
	if err := p.load(ctx, s, at); err != nil {
		return nil, err
	}
	return s, ctx.Err()
}

// Next applies the events up to an instant to the newest store. It does
// nothing before the first load.
func (p *Player) Next(ctx context.Context, at time.Time) error {
	p.reading.Lock()
	defer p.reading.Unlock()
	if p.shown == nil {
		return nil
	}
	f := p.opened()
	damage, reported, runs := len(f.Info().Damage), f.play.answered, len(f.runsAt(f.play.at))
	err := f.Next(ctx, p.shown, at)
	p.arrived(f)
	source := &Source{File: f, Name: p.name}
	if p.name != "" && (len(f.Info().Damage) != damage || f.play.answered != reported) {
		p.shown.Apply(store.HealthChanged{Health: source.health()})
	}
	if p.name != "" && len(f.runsAt(f.play.at)) != runs {
		source.reportSkipped(p.shown)
	}
	return err
}

// WriteExcerpt calls File.WriteExcerpt.
func (p *Player) WriteExcerpt(ctx context.Context, o Excerpt) (bytes int64, err error) {
	return p.opened().WriteExcerpt(ctx, o)
}

// Marks returns the marks of the file, including damage found so far.
func (p *Player) Marks(ctx context.Context) ([]Mark, error) {
	p.reading.Lock()
	f := p.opened()
	p.reading.Unlock()
	return f.Marks(ctx)
}

// Replace switches to another file. The store on screen stays until the next
// jump, and does not play on. The caller has to close the old file, since its
// marks may still be read.
func (p *Player) Replace(f *File) (old *File) {
	p.reading.Lock()
	defer p.reading.Unlock()
	return p.put(f, nil)
}

// Continue is Replace with a later state of the same file, in which the store on
// screen plays on.
func (p *Player) Continue(ctx context.Context, f *File) (old *File, err error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	if p.shown != nil {
		if err := f.Load(ctx, discardSink{}, p.At(), 0); err != nil {
			return nil, err
		}
	}
	return p.put(f, p.shown), nil
}

func (p *Player) put(f *File, shown sources.Sink) (old *File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	old, p.file, p.shown = p.file, f, shown
	return old
}

// Close closes the file.
func (p *Player) Close() error {
	p.reading.Lock()
	defer p.reading.Unlock()
	return p.opened().Close()
}

// discardSink is a sink that drops all events.
type discardSink struct{}

func (discardSink) Apply(...store.Event) {}
