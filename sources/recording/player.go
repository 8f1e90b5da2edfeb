package recording

import (
	"context"
	"sync"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
)

// Player shows a recording at one instant after the other: each jump makes a
// store of its own, and from there it plays on. Its methods may be called from
// any goroutine; those that read wait for each other.
type Player struct {
	name  string
	clock func() time.Time

	reading sync.Mutex
	shown   sources.Sink // what the last jump told, nil before the first

	mu   sync.Mutex // of what may be asked for while something is read
	file *File
	at   time.Time
}

// NewPlayer plays a file that is called name in its health, which is not told
// where that is "". clock dates what the recording itself has no time for.
func NewPlayer(f *File, name string, clock func() time.Time) *Player {
	return &Player{file: f, name: name, clock: clock}
}

// Span is the first and the last instant that can be shown.
func (p *Player) Span() (from, to time.Time) {
	f := p.opened()
	return f.From(), f.To()
}

// At is the instant that was told last.
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

// Begin is the source of the first snapshot: it tells a sink all that was known
// at an instant, zero for the end, and playing goes on in it.
func (p *Player) Begin(ctx context.Context, sink sources.Sink, at time.Time) error {
	p.reading.Lock()
	defer p.reading.Unlock()
	return p.load(ctx, sink, at)
}

func (p *Player) load(ctx context.Context, sink sources.Sink, at time.Time) error {
	p.shown = nil
	f := p.opened()
	s := Source{File: f, At: at, Name: p.name}
	if err := s.tell(ctx, sink); err != nil {
		return err
	}
	p.shown = sink
	p.arrived(f)
	return nil
}

// arrived notes how far was told.
func (p *Player) arrived(f *File) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at = f.At()
}

// Load returns a store that knows what was known at an instant. before is a
// snapshot of the store that it takes the place of.
func (p *Player) Load(ctx context.Context, at time.Time, before *store.Snapshot) (*store.Store, error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	s := store.NewAfter(p.clock, before)
	if err := p.load(ctx, s, at); err != nil {
		return nil, err
	}
	return s, ctx.Err()
}

// Next tells the newest store what came up to an instant. Where nothing was
// loaded yet it does nothing.
func (p *Player) Next(ctx context.Context, at time.Time) error {
	p.reading.Lock()
	defer p.reading.Unlock()
	if p.shown == nil {
		return nil
	}
	f := p.opened()
	before := len(f.Info().Damage)
	err := f.Next(ctx, p.shown, at)
	p.arrived(f)
	if source := (&Source{File: f, Name: p.name}); p.name != "" && len(f.Info().Damage) != before {
		p.shown.Apply(store.HealthChanged{Health: source.health()})
	}
	return err
}

// WriteIncident is that of the file.
func (p *Player) WriteIncident(ctx context.Context, o Incident) (bytes int64, err error) {
	return p.opened().WriteIncident(ctx, o)
}

// Marks are those of the file, and what was found to be damaged by all that was
// read until now.
func (p *Player) Marks(ctx context.Context) ([]Mark, error) {
	p.reading.Lock()
	f := p.opened()
	p.reading.Unlock()
	return f.Marks(ctx)
}

// Replace puts another file in the place of the one that is played: what is
// shown stays until the next jump, and does not play on. The old file is not
// closed: somebody may be reading its marks.
func (p *Player) Replace(f *File) (old *File) {
	p.reading.Lock()
	defer p.reading.Unlock()
	return p.put(f, nil)
}

// GoOn is Replace with a later state of the same file, in which what is shown
// plays on.
func (p *Player) GoOn(ctx context.Context, f *File) (old *File, err error) {
	p.reading.Lock()
	defer p.reading.Unlock()
	if p.shown != nil {
		if err := f.Load(ctx, nowhere{}, p.At(), 0); err != nil {
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

// nowhere forgets what it is told.
type nowhere struct{}

func (nowhere) Apply(...store.Event) {}
