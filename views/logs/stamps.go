package logs

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/train"
)

// stamps is whether and how the time is shown before each line.
type stamps uint8

const (
	stampsOff stamps = iota
	stampsLocal
	stampsUTC
	stampsSinceStart
	stampsCount
)

func (s stamps) String() string {
	switch s {
	case stampsLocal:
		return "local time"
	case stampsUTC:
		return "UTC"
	case stampsSinceStart:
		return "since start"
	}
	return "off"
}

// zone is the time zone of times that a person types.
func (s stamps) zone() *time.Location {
	if s == stampsUTC {
		return time.UTC
	}
	return time.Local
}

// roomyStamps is the width of a pane from which stamps show milliseconds.
const roomyStamps = 70

// width is how many cells the stamps take in a pane of a width, with the gap
// behind them.
func (s stamps) width(pane int) int {
	switch {
	case s == stampsOff:
		return 0
	case s == stampsSinceStart:
		return len("+100:02:03 ")
	case pane >= roomyStamps:
		return len("15:04:05.000 ")
	}
	return len("15:04:05 ")
}

// of is the stamp of a line, without the gap. start is when the job began; now
// decides whether the day is printed.
func (s stamps) of(line *train.LogLine, start, now time.Time, width int) string {
	if line.Time.IsZero() || s == stampsOff {
		return ""
	}
	if s == stampsSinceStart {
		return sinceStart(line.Time.Sub(start))
	}
	at := line.Time.In(s.zone())
	if days := now.Sub(line.Time); days > 20*time.Hour || days < -20*time.Hour {
		if width >= len("15:04:05.000 ") {
			return at.Format("01-02 15:04")
		}
		return at.Format("02 15:04")
	}
	if width >= len("15:04:05.000 ") {
		return at.Format("15:04:05.000")
	}
	return at.Format("15:04:05")
}

func sinceStart(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "-", -d
	}
	seconds := int(d.Seconds())
	return fmt.Sprintf("%s%02d:%02d:%02d", sign, seconds/3600, seconds/60%60, seconds%60)
}

// startOf is the zero of times since the start: the job's start, or the first
// line that is kept.
func startOf(job *train.Job, p *pane) time.Time {
	if !job.Started.IsZero() {
		return job.Started
	}
	if p.log == nil {
		return time.Time{}
	}
	for i := 0; i < p.log.Lines.Len() && i < lookBack; i++ {
		if at := p.log.Lines.At(i).Time; !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}
