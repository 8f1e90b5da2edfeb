package config

import (
	"bytes"
	"encoding/json"

	"k8s.io/apimachinery/pkg/api/resource"
)

// rewindConfig is the part of the configuration file about the past that a live
// screen keeps. It holds for all contexts.
type rewindConfig struct {
	Rewind *rewindSize `json:"rewind"`
}

// DefaultRewind is the size kept by default: seven minutes of 64 logs at 1,000
// lines a second each, hours of usual logs.
const DefaultRewind = 256 << 20

func rewindConfigKeys() []Key {
	return []Key{{
		name: "rewind", kind: "a size, or `off`", preset: "256Mi", everywhere: true, atStart: true,
		meaning: "how much of what a live screen has seen is kept in the XDG cache directory to go back over, while it runs; the oldest goes first",
	}}
}

// rewindSize is a size as Kubernetes writes it, or off, which YAML reads as
// false; 0 is off.
type rewindSize struct {
	bytes int64
	// wrong is the text when it is none.
	wrong string
}

// UnmarshalJSON never fails: a wrong setting must not keep the others from
// being used.
func (s *rewindSize) UnmarshalJSON(text []byte) error {
	*s = rewindSize{}
	word := string(text)
	_ = json.Unmarshal(text, &word) // a number stays as it is written
	if bytes.Equal(text, []byte("false")) || word == "off" {
		return nil
	}
	size, err := resource.ParseQuantity(word)
	if s.bytes = size.Value(); err != nil || s.bytes < SmallestRecording {
		*s = rewindSize{wrong: string(text)}
	}
	return nil
}

// Rewinding is the size that is kept, 0 for none.
func (c *rewindConfig) Rewinding() int64 {
	if c.Rewind == nil {
		return DefaultRewind
	}
	return c.Rewind.bytes
}

// checkRewind removes unusable settings, and reports them.
func (c *rewindConfig) checkRewind(r *reader) {
	if s := c.Rewind; s != nil && s.wrong != "" {
		r.add("rewind", "rewind is %s, which is neither off nor a size of at least 1Mi such as 512Mi; 256Mi is used", s.wrong)
		c.Rewind = nil
	}
}

// SmallestRecording is the smallest --max-size: below it a file would be cut
// all the time.
const SmallestRecording = 1 << 20
