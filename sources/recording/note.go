package recording

import (
	"fmt"
	"time"
)

// About says what a recording is of. It stands at the beginning of the file,
// as JSON, and again where a recording was continued.
type About struct {
	// Program is the name and version of what wrote it.
	Program string `json:"program"`
	// Source names the cluster or the files for people.
	Source string `json:"source,omitempty"`
	// Began is when writing began.
	Began time.Time `json:"began"`
	// Logs is what of logs is in it.
	Logs Logs `json:"logs"`
	// Redacted is false when secrets were left in it on request.
	Redacted bool `json:"redacted"`
}

// Logs says what of logs is recorded.
type Logs string

const (
	LogsAll     Logs = "all"     // lines and what they mean
	LogsMetrics Logs = "metrics" // samples, marks and hits, without the lines
	LogsNone    Logs = "none"
)

// Note is what the writer has to say about the file itself.
type Note struct {
	// Gap is set where something is missing.
	Gap *Gap `json:"gap,omitempty"`
	// Redacted counts what was redacted so far, by sort.
	Redacted map[string]int `json:"redacted,omitempty"`
	// Trimmed is set once at the beginning of a file whose oldest part was
	// dropped to stay within its limits: how many bytes, ever.
	Trimmed int64 `json:"trimmed,omitempty"`
	// Lost is what could not be read of the recording that this one was made of.
	Lost []Loss `json:"lost,omitempty"`
	// ClockBack is how far the clock went back before the note, in microseconds.
	ClockBack int64 `json:"clockBack,omitempty"`
	// Closed is true at the end of a recording that was ended in order.
	Closed bool `json:"closed,omitempty"`
}

// Gap is a span of time of which something is missing, and why.
type Gap struct {
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Events int64     `json:"events"` // how many came in it and were not written
	Why    string    `json:"why"`
	// Away is true where no recorder ran, so that nobody knows how many events
	// there were.
	Away bool `json:"away,omitempty"`
}

// String says it to people.
func (g Gap) String() string {
	if g.Away {
		return fmt.Sprintf("%s nothing was recorded: %s", spanText(g.From, g.To), g.Why)
	}
	return fmt.Sprintf("%s %d events were not recorded: %s", spanText(g.From, g.To), g.Events, g.Why)
}

// String says it to people.
func (t Turn) String() string {
	return fmt.Sprintf("at %s the clock of the recorder went back by %s; what was recorded before is shown that much earlier", stamp(t.At), t.By.Round(time.Second))
}
