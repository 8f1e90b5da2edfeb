package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/actions/probes"
)

// probeConfig is the part of the configuration file about checks that run
// inside ranks. It holds for all contexts.
type probeConfig struct {
	Probes []ownProbe `json:"probes"`
}

// ownProbe is a person's own check.
type ownProbe struct {
	Name     string       `json:"name"`
	Title    string       `json:"title"`
	About    string       `json:"about"`
	Command  argumentList `json:"command"`
	Harmless bool         `json:"harmless"`
	Timeout  probeTimeout `json:"timeout"`
}

// argumentList is a program and its arguments. A text is kept as wrong: it
// would have to be split as a shell does, which this program does not do.
type argumentList struct {
	arguments []string
	wrong     bool
}

// UnmarshalJSON never fails: a wrong probe must not keep the rest of the file
// from being used.
func (a *argumentList) UnmarshalJSON(text []byte) error {
	*a = argumentList{}
	var list []json.RawMessage
	a.wrong = json.Unmarshal(text, &list) != nil
	for _, item := range list {
		argument := string(item) // a number or true, as written
		switch {
		case item[0] == '"':
			a.wrong = json.Unmarshal(item, &argument) != nil || a.wrong
		case item[0] == '{', item[0] == '[', argument == "null":
			a.wrong = true
		}
		a.arguments = append(a.arguments, argument)
	}
	return nil
}

// probeTimeout is a duration as people write it: "30s", or a number of seconds.
type probeTimeout struct {
	limit time.Duration
	wrong string
}

// UnmarshalJSON never fails, as that of argumentList.
func (t *probeTimeout) UnmarshalJSON(text []byte) error {
	*t = probeTimeout{}
	var word string
	var seconds float64
	switch {
	case bytes.Equal(text, []byte("null")):
		return nil
	case json.Unmarshal(text, &seconds) == nil && seconds > 0 && seconds <= probes.LongestTimeout.Seconds():
		t.limit = time.Duration(seconds * float64(time.Second))
		return nil
	case json.Unmarshal(text, &word) == nil:
		if limit, err := time.ParseDuration(word); err == nil && limit > 0 && limit <= probes.LongestTimeout {
			t.limit = limit
			return nil
		}
	}
	t.wrong = string(text)
	return nil
}

func probeConfigKeys() []Key {
	return []Key{{
		name: "probes", kind: "list of `name`, `command`, `title`, `about`, `harmless`, `timeout`", everywhere: true,
		meaning: "checks of your own that can be run inside ranks, see below",
	}}
}

// probe is the check, or why it is not one.
func (o ownProbe) probe() (probes.Probe, error) {
	var wrong []error
	if o.Command.wrong {
		wrong = append(wrong, fmt.Errorf("the command of %q has to be a list of a program and its arguments, as in [ethtool, -S, eth0]: nothing splits a text", o.Name))
	}
	if o.Timeout.wrong != "" {
		wrong = append(wrong, fmt.Errorf("the timeout of %q is %s, which is no duration up to %s", o.Name, o.Timeout.wrong, probes.LongestTimeout))
	}
	if len(wrong) > 0 {
		return probes.Probe{}, errors.Join(wrong...)
	}
	return probes.Own{
		Name: o.Name, Title: o.Title, About: o.About, Command: o.Command.arguments, Harmless: o.Harmless, Timeout: o.Timeout.limit,
	}.Probe()
}

// checkProbes removes invalid probes, and reports them.
func (c *probeConfig) checkProbes(r *reader) {
	var names []string
	c.Probes = slices.DeleteFunc(c.Probes, func(own ownProbe) bool {
		_, err := own.probe()
		if err == nil && slices.Contains(names, own.Name) {
			err = fmt.Errorf("there are two of the name %s", own.Name)
		}
		if err != nil {
			for _, one := range eachOf(err) {
				r.add("probes", "probes: %v; it is left out", one)
			}
			return true
		}
		names = append(names, own.Name)
		return false
	})
}

// OwnProbes are the checks of the configuration, those that checkProbes left.
func (c *probeConfig) OwnProbes() []probes.Probe {
	var own []probes.Probe
	for _, o := range c.Probes {
		if p, err := o.probe(); err == nil {
			own = append(own, p)
		}
	}
	return own
}
