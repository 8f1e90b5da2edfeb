package generate

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// podLog is what one container printed, in the format in which a container
// runtime keeps it (CRI): time, stream, tag, text.
type podLog struct {
	text bytes.Buffer
	rand *rand.Rand
	at   time.Time
}

// printed begins a log some time before the instant of the demo. Its chance is
// that of its name, so that it is the same each time.
func printed(name string, since time.Duration) *podLog {
	seed := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		seed = (seed ^ uint64(c)) * 1099511628211
	}
	return &podLog{rand: rand.New(rand.NewPCG(seed, 1)), at: now.Add(-since)}
}

// out and err print a line on a stream.
func (l *podLog) out(format string, args ...any) { l.line("stdout", fmt.Sprintf(format, args...)) }
func (l *podLog) err(format string, args ...any) { l.line("stderr", fmt.Sprintf(format, args...)) }

func (l *podLog) line(stream, text string) {
	for part := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(&l.text, "%s %s F %s\n", l.at.Format("2006-01-02T15:04:05.000000000Z"), stream, part)
		l.pass(time.Duration(200+l.rand.IntN(900)) * time.Microsecond)
	}
}

// pass lets time go by.
func (l *podLog) pass(d time.Duration) { l.at = l.at.Add(d) }

// ago is how long before the instant of the demo the log stands.
func (l *podLog) ago() time.Duration { return now.Sub(l.at) }

// around is a value with some noise of a share of it.
func (l *podLog) around(value, share float64) float64 {
	return value * (1 + share*l.rand.NormFloat64())
}

// took is a duration with some noise.
func (l *podLog) took(d time.Duration) time.Duration {
	return time.Duration(l.around(float64(d), 0.015))
}

// stamp is the time as Python's logging prints it.
func (l *podLog) stamp() string {
	return strings.Replace(l.at.Format("2006-01-02 15:04:05.000"), ".", ",", 1)
}

// clock writes seconds as a progress bar does.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

// thousands separates digits in groups of three.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
