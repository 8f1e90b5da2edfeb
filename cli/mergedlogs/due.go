package mergedlogs

import (
	"math"
	"strings"
	"time"

	"github.com/traintop/traintop/store/loglines"
	"github.com/traintop/traintop/train"
)

// completeLines treats newest lines that did not change for a window as complete: if
// one still grows, only its rest is printed. One that keeps changing, as a
// progress bar does, is printed from time to time. It returns the time until
// the next line is complete, and the lowest order of the incomplete ones.
func (m *Merge) completeLines(now time.Time) (wait time.Duration, unripe int64) {
	wait, unripe = patience, math.MaxInt64
	if m.window == 0 {
		return wait, unripe
	}
	for _, q := range m.queues {
		if !q.has || !q.settles {
			continue
		}
		left := min(m.window-now.Sub(q.changed), redrawnTime-now.Sub(q.begun))
		if left <= 0 {
			m.take(q, q.changed)
			continue
		}
		wait = min(wait, left)
		if order := loglines.OrderAfter(q.reached, q.newest.Time); order != loglines.Unordered {
			unripe = min(unripe, order)
		}
	}
	return wait, unripe
}

// redrawnTime is how long a line that is redrawn waits before it is printed.
const redrawnTime = 10 * time.Second

// restOf is the part of a line that was added since it was printed; all of it
// where it was redrawn.
func restOf(line, printed train.LogLine) train.LogLine {
	if printed.Cut > 0 && line.Cut > 0 {
		line.Text, line.Cut = line.Text[strings.LastIndex(line.Text, " [cut: ")+1:], line.Cut-printed.Cut
		return line
	}
	line.Text = strings.TrimPrefix(line.Text, printed.Text)
	return line
}

// due is how long the first line still has to wait. unripe is the lowest order
// of lines that may still change.
func (m *Merge) due(now time.Time, unripe int64) time.Duration {
	if m.window == 0 {
		if m.silent > 0 || !m.sealed {
			return patience
		}
		return 0
	}
	if m.Held > HeldBytes {
		m.Hurried++
		return 0
	}
	if left := openingTime - now.Sub(m.began); left > 0 && m.anyOpening() {
		return left
	}
	q, order := m.heads.First()
	left := m.window - now.Sub(q.lines[0].arrived)
	if left <= 0 && unripe < order {
		left = patience // until that one is complete; ripen returns when
	}
	if left <= 0 || m.oldestArrival(now) >= 2*m.window {
		return 0
	}
	return min(left, 2*m.window-m.oldestArrival(now))
}

func (m *Merge) anyOpening() bool {
	for _, q := range m.queues {
		if q.opening && !q.closed {
			return true
		}
	}
	return false
}

func (m *Merge) oldestArrival(now time.Time) (age time.Duration) {
	m.heads.Each(func(q *logQueue) { age = max(age, now.Sub(q.lines[0].arrived)) })
	return age
}
