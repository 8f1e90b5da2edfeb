package tasks

import (
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/ui/terminal"
)

// A shell borrows the terminal, and reports how it ended.
func TestAShellSaysHowItEnded(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, "shell in bert-0 ended"},
		{terminal.ErrLeft, "bert-0: " + terminal.ErrLeft.Error()},
		{&actions.Failure{Kind: actions.Gone, Text: "the pod does not exist any more"}, "shell in bert-0: the pod does not exist any more"},
	} {
		s := newStage(t, Session{Actor: &copier{}})
		var ended tea.ExecCallback
		s.Lend = func(_ tea.ExecCommand, end tea.ExecCallback) tea.Cmd { ended = end; return nil }
		shells := &Shells{host: &s.Host, debugs: &Debugs{host: &s.Host}}
		shells.Start(actions.Target{Container: actions.Container{Namespace: "ml", Pod: "bert-0", Name: "main"}})
		if ended == nil {
			t.Fatal("the terminal was not lent")
		}
		s.end(t, func() tea.Msg { return ended(c.err) })
		if !slices.Equal(s.shown, []string{c.want}) {
			t.Errorf("%v: shown %q, want %q", errors.Unwrap(c.err), s.shown, c.want)
		}
	}
}
