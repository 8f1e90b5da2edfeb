package jsontext

import "time"

// Problem names a source that could not be read and whose data may be missing.
type Problem struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

// Known is a time for an answer, nil for one that is unknown.
func Known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
