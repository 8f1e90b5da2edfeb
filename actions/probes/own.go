package probes

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
)

// Own is a probe that a person defined in the configuration.
type Own struct {
	// Name is its ID: letters, digits and dashes.
	Name string
	// Title and About are shown; by default the name and the command are.
	Title, About string
	// Command is the program and its arguments; nothing splits or expands them.
	Command []string
	// Harmless declares that it changes nothing: it runs without asking, and also
	// under --readonly.
	Harmless bool
	Timeout  time.Duration // 0 is DefaultTimeout
}

var ownName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// LongestTimeout bounds the timeout of an own probe.
const LongestTimeout = 10 * time.Minute

// Probe returns the probe, or why it is invalid.
func (o Own) Probe() (Probe, error) {
	_, taken := Find(All(), o.Name)
	switch {
	case !ownName.MatchString(o.Name):
		return Probe{}, fmt.Errorf("the name %q has to be of small letters, digits and dashes, at most 40", o.Name)
	case taken:
		return Probe{}, fmt.Errorf("there is a probe of the name %s already", o.Name)
	case len(o.Command) == 0 || o.Command[0] == "":
		return Probe{}, fmt.Errorf("the probe %s has no command: a list of a program and its arguments", o.Name)
	case o.Timeout < 0 || o.Timeout > LongestTimeout:
		return Probe{}, fmt.Errorf("the probe %s has a timeout of %s, which may be up to %s", o.Name, o.Timeout, LongestTimeout)
	}
	p := Probe{ID: o.Name, Title: o.Title, About: o.About, Writes: !o.Harmless, Timeout: o.Timeout, Read: readOwn}
	if p.Title == "" {
		p.Title = o.Name
	}
	if p.About == "" {
		p.About = clean(fmt.Sprintf("runs %q", o.Command))
	}
	command := slices.Clone(o.Command)
	p.Commands = func(*store.Snapshot, actions.Target) [][]string { return [][]string{slices.Clone(command)} }
	return p, nil
}

// readOwn shows the first line, and compares the whole answer. An exit code other than 0
// is Bad.
func readOwn(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	r := Result{State: Neutral, Line: first(a.Stdout), Detail: detail(a)}
	switch {
	case a.Exit != 0:
		r = unread(a)
		r.State, r.Key = Bad, fmt.Sprintf("exit code %d", a.Exit)
		return r
	case r.Line == "":
		r.Line = "it printed nothing"
	}
	for _, line := range r.Detail {
		r.Key += line + "\n"
	}
	if r.Key == "" {
		r.Key = "nothing"
	}
	return r
}
