package receivers

import (
	"encoding/json"
	"time"
)

// Duration is a time as people write it: "30s", or a number of seconds.
type Duration struct {
	Length time.Duration
	// wrong is a text that is none.
	wrong string
}

// UnmarshalJSON never fails: a wrong setting must not keep other receivers from
// being used.
func (d *Duration) UnmarshalJSON(text []byte) error {
	*d = Duration{}
	var word string
	var seconds float64
	switch {
	case string(text) == "null":
		return nil
	case json.Unmarshal(text, &seconds) == nil && seconds > 0 && seconds < 1e6:
		d.Length = time.Duration(seconds * float64(time.Second))
		return nil
	case json.Unmarshal(text, &word) == nil:
		if length, err := time.ParseDuration(word); err == nil && length > 0 {
			d.Length = length
			return nil
		}
	}
	d.wrong = string(text)
	return nil
}
