package recording

import "time"

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
	// Closed is true at the end of a recording that was ended in order.
	Closed bool `json:"closed,omitempty"`
}

// Gap is a span of time of which something is missing, and why.
type Gap struct {
	From   time.Time `json:"from"`
	To     time.Time `json:"to"`
	Events int64     `json:"events"` // how many came in it and were not written
	Why    string    `json:"why"`
}
