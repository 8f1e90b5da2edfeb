package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/traintop/traintop/diagnose/signals"
)

// signalConfig is the part of the configuration file about the limits of
// signals, by name. It holds for all contexts.
type signalConfig struct {
	Signals map[string]any `json:"signals"`
}

func signalConfigKeys() []Key {
	return []Key{{
		name: "signals", kind: "map of numbers", preset: "as in docs/signals.md", everywhere: true,
		meaning: "limits of the signals of GPUs, jobs and nodes by their names in docs/signals.md, as in `signals: {idleFor: 30}`",
	}}
}

// checkSignals removes invalid limits, and reports them.
func (c *signalConfig) checkSignals(r *reader) {
	var limits signals.Thresholds
	for _, name := range slices.Sorted(maps.Keys(c.Signals)) {
		value, is := c.Signals[name].(float64)
		err := fmt.Errorf("the limit %s is %v, which is no number", name, c.Signals[name])
		if is {
			limits, err = limits.With(name, value)
		}
		if err != nil {
			r.add("signals."+name, "signals: %v; it is left as it was (see docs/signals.md)", err)
			delete(c.Signals, name)
		}
	}
}

// Thresholds are the valid limits, those that checkSignals left.
func (c *signalConfig) Thresholds() signals.Thresholds {
	var limits signals.Thresholds
	for name, value := range c.Signals {
		if number, is := value.(float64); is {
			if changed, err := limits.With(name, number); err == nil {
				limits = changed
			}
		}
	}
	return limits
}
