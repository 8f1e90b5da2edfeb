package alerts

import "time"

// heedClock takes back what lies in the future after the clock went back, so that
// nothing waits until it has caught up.
func (t *Tracker) heedClock(now time.Time) {
	if !now.Before(t.lastSeen) {
		return
	}
	for _, f := range t.followed {
		for _, at := range []*time.Time{&f.first, &f.last, &f.away, &f.sent, &f.grown} {
			notAfter(at, now)
		}
		for id, last := range f.members {
			if last.After(now) {
				f.members[id] = now
			}
		}
	}
	for _, sent := range t.sentBy {
		for i := range sent {
			notAfter(&sent[i], now)
		}
	}
	for key, e := range t.ended {
		notAfter(&e.At, now)
		t.ended[key] = e
	}
}

func notAfter(at *time.Time, now time.Time) {
	if at.After(now) {
		*at = now
	}
}
