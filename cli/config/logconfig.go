package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
)

// LogConfig is the part of the configuration file about logs. It holds for all
// contexts.
type LogConfig struct {
	LogStreams         *int              `json:"logStreams"`
	LogMemoryMiB       *int              `json:"logMemoryMiB"`
	LogStreamMemoryMiB *int              `json:"logStreamMemoryMiB"`
	CurveValues        *int              `json:"curveValues"`
	Patterns           []formats.Pattern `json:"patterns"`
	// wrongPatterns are those that cannot be used.
	wrongPatterns Problems
}

func logConfigKeys() []Key {
	defaults := store.DefaultLimits
	return []Key{
		{
			name: "logStreams", kind: numberKind("logStreams"), preset: fmt.Sprint(streams.DefaultMost),
			meaning: "how many logs are followed at once", everywhere: true,
		},
		{name: "logMemoryMiB", kind: numberKind("logMemoryMiB"), preset: fmt.Sprint(defaults.AllLogBytes >> 20), meaning: "memory for the lines of all logs together; the oldest lines go first", everywhere: true, atStart: true},
		{name: "logStreamMemoryMiB", kind: numberKind("logStreamMemoryMiB"), preset: fmt.Sprint(defaults.LogBytes >> 20), meaning: "memory for the lines of one log", everywhere: true, atStart: true},
		{name: "curveValues", kind: numberKind("curveValues"), preset: fmt.Sprint(defaults.Values), meaning: "metric values kept of one log before its curves are thinned to the smallest, largest and last of each stretch", everywhere: true, atStart: true},
		{name: "patterns", kind: "list of `name`, `match`, `example`", meaning: "formats of your own, see below", everywhere: true},
	}
}

// numberBounds are the allowed ranges of LogConfig's numbers.
var numberBounds = map[string][2]int{
	"logStreams": {1, streams.MostOfAll}, "logMemoryMiB": {1, 1 << 20}, "logStreamMemoryMiB": {1, 1 << 16}, "curveValues": {1000, 1 << 30},
}

func numberKind(name string) string {
	return fmt.Sprintf("%d to %d", numberBounds[name][0], numberBounds[name][1])
}

// check removes unusable settings, and reports them. Patterns stay: the command
// decides whether a wrong one is an error.
func (l *LogConfig) check(r *reader) {
	numbers := map[string]**int{
		"logStreams": &l.LogStreams, "logMemoryMiB": &l.LogMemoryMiB, "logStreamMemoryMiB": &l.LogStreamMemoryMiB, "curveValues": &l.CurveValues,
	}
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		value, bounds := numbers[name], numberBounds[name]
		if *value != nil && (**value < bounds[0] || **value > bounds[1]) {
			r.add(name, "%s is %d, which is not between %d and %d; %s", name, **value, bounds[0], bounds[1], r.instead(name))
			*value = nil
		}
	}
	others := r.problems
	r.problems = nil
	for i, pattern := range l.Patterns {
		if err := pattern.Check(); err != nil {
			r.add(r.itemPath("patterns", i), "%v", err)
		}
	}
	l.wrongPatterns, r.problems = r.problems, others
}

// Limits are those of the store; an unset one is 0, which is the default there.
func (l *LogConfig) Limits() store.Limits {
	return store.Limits{
		LogBytes: Number(l.LogStreamMemoryMiB) << 20, AllLogBytes: Number(l.LogMemoryMiB) << 20, Values: Number(l.CurveValues),
	}
}

// Formats compiles the patterns. The error names the wrong ones; the others can
// be used nevertheless.
func (l *LogConfig) Formats() (formats.Options, error) {
	patterns, err := formats.Compile(l.Patterns)
	if err != nil && len(l.wrongPatterns) > 0 {
		err = fmt.Errorf("reading the configuration: %s", strings.Join(l.wrongPatterns.Lines(), "; "))
	}
	return formats.Options{Patterns: patterns}, err
}

func Number(value *int) int {
	if value == nil {
		return 0
	}
	return *value
}
