package describe

import "time"

// ago is an instant and how long ago it was; "" when it is not known.
func (p *page) ago(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02 15:04:05Z") + " (" + p.f.Ages.Since(at) + " ago)"
}

// age is how long ago an instant was, a dash when it is not known.
func (p *page) age(at time.Time) string {
	if at.IsZero() {
		return p.f.Theme.Glyphs.Dash
	}
	return p.f.Ages.Since(at)
}
