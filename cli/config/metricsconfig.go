package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// metricsConfig is the part of the configuration file about metrics of GPUs,
// nodes and pods. It holds for all contexts.
type metricsConfig struct {
	MetricsInterval *interval `json:"metricsInterval"`
}

// How often exporters are scraped; metrics.k8s.io, which changes every 15 s to
// 60 s, is never read more often than metricsServerInterval.
const (
	MetricsInterval, metricsServerInterval = 15 * time.Second, 30 * time.Second
	shortestInterval, longestAtMost        = 5 * time.Second, time.Hour
)

func metricsConfigKeys() []Key {
	return []Key{{
		name: "metricsInterval", kind: "a duration, or `off`", preset: MetricsInterval.String(), everywhere: true, atStart: true,
		meaning: fmt.Sprintf("how often exporters of GPU metrics are asked through the API server, %s to %s; metrics.k8s.io is asked at most every %s; off asks neither", shortestInterval, longestAtMost, metricsServerInterval),
	}}
}

// interval is a duration as people write it: "15s", a number of seconds, or
// off, which YAML reads as false.
type interval struct {
	every time.Duration
	// wrong is a text that is not a duration.
	wrong string
}

// UnmarshalJSON never fails: a wrong setting must not keep the others from
// being used.
func (i *interval) UnmarshalJSON(text []byte) error {
	*i = interval{}
	var word string
	var seconds float64
	switch {
	case bytes.Equal(text, []byte("false")):
	case json.Unmarshal(text, &seconds) == nil && seconds > 0 && seconds <= longestAtMost.Seconds():
		i.every = time.Duration(seconds * float64(time.Second))
	case json.Unmarshal(text, &word) == nil && word == "off":
	default:
		every, err := time.ParseDuration(word)
		if i.every = every; err != nil || every == 0 {
			*i = interval{wrong: string(text)}
		}
	}
	if i.every != 0 && (i.every < shortestInterval || i.every > longestAtMost) {
		*i = interval{wrong: string(text)}
	}
	return nil
}

// checkMetrics removes unusable settings, and reports them.
func (m *metricsConfig) checkMetrics(r *reader) {
	if i := m.MetricsInterval; i != nil && i.wrong != "" {
		r.add("metricsInterval", "metricsInterval is %s, which is neither off nor a duration between %s and %s; %s is used",
			i.wrong, shortestInterval, longestAtMost, MetricsInterval)
		m.MetricsInterval = nil
	}
}

// Measuring is how often a cluster's GPU exporters are scraped, and the usage
// of nodes and pods is read; 0 is never.
type Measuring struct{ Exporters, Usage time.Duration }

// Measuring is for the screen: everything.
func (m *metricsConfig) Measuring() Measuring {
	every := MetricsInterval
	if m.MetricsInterval != nil {
		every = m.MetricsInterval.every
	}
	if every == 0 {
		return Measuring{}
	}
	return Measuring{every, max(every, metricsServerInterval)}
}
