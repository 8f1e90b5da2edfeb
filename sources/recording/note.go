package recording

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/termtext"
)

// About describes a recording. It is stored as JSON at the beginning of the
// file, and again where a recorder continued it.
type About struct {
	// Program is the name and version of the program that wrote it.
	Program string `json:"program"`
	// Source is the name of the cluster or files, for people.
	Source string `json:"source,omitempty"`
	// Began is when writing began.
	Began time.Time `json:"began"`
	// Logs selects which parts of logs are recorded.
	Logs Logs `json:"logs"`
	// Namespace is the one that alone was asked for, "" for all.
	Namespace string `json:"namespace,omitempty"`
	// Later is what was asked for from later times on, in a copy of several runs.
	Later []LaterAsk `json:"later,omitempty"`
	// Redacted is false if secrets were kept on request.
	Redacted bool `json:"redacted"`
}

// LaterAsk is what a recorder was asked for from a time on.
type LaterAsk struct {
	From      time.Time `json:"from"`
	Logs      Logs      `json:"logs"`
	Namespace string    `json:"namespace,omitempty"`
}

// Logs selects which parts of logs are recorded.
type Logs string

const (
	LogsAll     Logs = "all"     // lines and the events parsed from them
	LogsMetrics Logs = "metrics" // samples, marks and hits, without the lines
	LogsNone    Logs = "none"
)

// Note is a message of the writer about the file itself.
type Note struct {
	// Gap is set if events are missing.
	Gap *Gap `json:"gap,omitempty"`
	// Redacted counts the redacted secrets so far, by kind.
	Redacted map[string]int `json:"redacted,omitempty"`
	// Trimmed is set once, at the beginning of a file whose oldest part was
	// dropped to stay within its limits: how many bytes in total.
	Trimmed int64 `json:"trimmed,omitempty"`
	// Lost lists unreadable parts of the recording that this one was copied
	// from.
	Lost []Loss `json:"lost,omitempty"`
	// ClockBack is how far the clock went back before the note, in
	// microseconds.
	ClockBack int64 `json:"clockBack,omitempty"`
	// Closed is true at the end of a recording that was closed properly.
	Closed bool `json:"closed,omitempty"`
}

// mostNoted bounds the texts of a note, in runes.
const mostNoted = 500

// safe returns the note of a piece with texts that a screen can show, and
// without times that are a century away from it.
func (n *Note) safe(p *piece) *Note {
	near := func(t time.Time, other time.Time) time.Time {
		if at := micros(t); t.IsZero() || t.Year() > 9999 || at < p.from-farAway || at > p.from+farAway {
			return other
		}
		return t
	}
	if g := n.Gap; g != nil {
		g.Why = termtext.Short(g.Why, mostNoted)
		g.From, g.To = near(g.From, instant(p.from)), near(g.To, instant(p.from))
	}
	for i := range n.Lost {
		l := &n.Lost[i]
		l.What, l.Why = termtext.Short(l.What, mostNoted), termtext.Short(l.Why, mostNoted)
		l.From, l.To = near(l.From, time.Time{}), near(l.To, time.Time{})
	}
	return n
}

// Gap is a time span with missing events, and the reason.
type Gap struct {
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Events int64     `json:"events"` // how many arrived in it and were not written
	Why    string    `json:"why"`
	// Away is true if no recorder ran, so that the number of events is
	// unknown.
	Away bool `json:"away,omitempty"`
}

// String describes the gap for people.
func (g Gap) String() string {
	if g.Away {
		return fmt.Sprintf("%s nothing was recorded: %s", spanText(g.From, g.To), g.Why)
	}
	return fmt.Sprintf("%s %d events were not recorded: %s", spanText(g.From, g.To), g.Events, g.Why)
}

// String describes the turn for people.
func (t Turn) String() string {
	return fmt.Sprintf("at %s the clock of the recorder went back by %s; what was recorded before is shown that much earlier", stamp(t.At), t.By.Round(time.Second))
}
