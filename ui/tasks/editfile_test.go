package tasks

import (
	"os"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
)

// TestTheFileOfAnEditGoesWithTheProgram: at its end and before it dies of a
// signal, unless a person saved something in it.
func TestTheFileOfAnEditGoesWithTheProgram(t *testing.T) {
	for name, c := range map[string]struct {
		saved string
		end   func(*Background)
		stays bool
	}{
		"end":            {"", func(b *Background) { b.End(time.Second) }, false},
		"signal":         {"", func(b *Background) { b.Tidy() }, false},
		"end, edited":    {"kind: Job\nspec: {suspend: true}\n", func(b *Background) { b.End(time.Second) }, true},
		"signal, edited": {"kind: Job\nspec: {suspend: true}\n", func(b *Background) { b.Tidy() }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			host := &Host{
				Ctx: t.Context(), Background: &Background{}, Environment: func(string) string { return "" },
				Lend: func(tea.ExecCommand, tea.ExecCallback) tea.Cmd { return nil },
			}
			e := &editing{host: host}
			fetched{edit: e, draft: actions.Draft{Text: []byte("kind: Job\n")}}.Arrive()
			if _, err := os.Stat(e.path); err != nil {
				t.Fatal(err)
			}
			if c.saved != "" {
				if err := os.WriteFile(e.path, []byte(c.saved), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			c.end(host.Background)
			if _, err := os.Stat(e.path); (err == nil) != c.stays {
				t.Errorf("the file: %v", err)
			}
		})
	}
}
