package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

// The values of a Secret are read once a person has confirmed, and that is
// recorded first.
func TestTheValuesOfASecretAreReadAfterAQuestion(t *testing.T) {
	secret := train.Ref{Kind: "Secret", Namespace: "ml", Name: "token"}
	values := map[string]string{"b": "two\nlines\n", "a": "one", "c": "\xff\xfe"}
	for name, c := range map[string]struct {
		refuses  string
		fails    error
		blind    bool
		reads    bool
		text     string
		notice   string
		recorded []string
	}{
		"allowed":      {reads: true, text: "Secret ml/token, decoded|a: one\nb: |\n  two\n  lines\nc: (2 bytes that are no text)\n", recorded: []string{"show-secret token begun", "show-secret token done"}},
		"not allowed":  {refuses: "you may not get secrets"},
		"it fails":     {fails: errors.New("it is gone"), reads: true, notice: "it is gone", recorded: []string{"show-secret token begun", "show-secret token failed"}},
		"not recorded": {blind: true, notice: "Secret ml/token is not shown, since it cannot be recorded: "},
	} {
		t.Run(name, func(t *testing.T) {
			actor := &cluster{refuses: func(actions.Access) string { return c.refuses }}
			s := inCluster(t, actor)
			if c.blind {
				s.unrecordable(t)
			}
			read, text := false, ""
			s.drain(New(&s.Host).Secrets.Start(secret, func(context.Context) (map[string]string, error) {
				read = true
				return values, c.fails
			}, func(title, shown string) tea.Cmd {
				text = title + "|" + shown
				return nil
			}))
			if read || s.recorded(t) != nil || !slices.Equal(actor.verbsOf(), []string{"get Secret"}) || s.dialog.Refused != c.refuses {
				t.Fatalf("read %v, reviewed %v, refused %q", read, actor.verbsOf(), s.dialog.Refused)
			}
			if c.refuses != "" {
				return
			}
			s.press(t)
			if read != c.reads || text != c.text || !slices.Equal(s.recorded(t), c.recorded) || len(s.last()) < len(c.notice) || s.last()[:len(c.notice)] != c.notice {
				t.Errorf("read %v, text %q, recorded %q, shown %q", read, text, s.recorded(t), s.shown)
			}
		})
	}
}
