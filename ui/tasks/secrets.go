package tasks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/dialog"
)

// Secrets shows the values of a Secret, after a question and if rights allow.
type Secrets struct{ host *Host }

// Start asks whether the values of a Secret should be shown. read reads them once the
// person has confirmed, and show opens them as a text.
func (s *Secrets) Start(ref train.Ref, read func(context.Context) (map[string]string, error), show func(title, text string) tea.Cmd) tea.Cmd {
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Show the values of " + ref.Title() + "?", Does: "Show", Lines: []dialog.Line{
		{Role: themes.Text, Text: "reads the Secret and shows its values decoded on this screen, where others may see them"},
		{Role: themes.Dim, Text: "they are neither recorded, copied nor saved; that they were shown is noted in the record of changes"},
	}}}
	d.Pressed = func() tea.Cmd { return s.read(ref, read, show) }
	return s.host.openReviewed(d, actions.Access{Verb: "get", Group: ref.Group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name})
}

// read notes in the record that the values are about to be shown, and reads them.
func (s *Secrets) read(ref train.Ref, read func(context.Context) (map[string]string, error), show func(title, text string) tea.Cmd) tea.Cmd {
	record, err := s.host.beginRecord("show-secret", ref, "get "+ref.String())
	if err != nil {
		return s.host.Notify(ref.Title()+" is not shown, since it cannot be recorded: "+err.Error(), true)
	}
	ctx := s.host.Ctx
	return s.host.OffLoop(func() tea.Msg {
		values, err := read(ctx)
		if record != nil {
			if ended := record.End(err); err == nil {
				err = ended
			}
		}
		if err != nil {
			return s.host.Notice(err.Error(), true)
		}
		return valuesRead{ref.Title(), valuesText(values), show}
	})
}

// valuesRead are the values of a Secret as a text.
type valuesRead struct {
	title, text string
	show        func(title, text string) tea.Cmd
}

// Arrive shows them.
func (v valuesRead) Arrive() tea.Cmd { return v.show(v.title+", decoded", v.text) }

// valuesText writes each key with its value; a value of several lines is indented, and
// one that is no text only has its length.
func valuesText(values map[string]string) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value := values[key]
		switch {
		case !utf8.ValidString(value):
			fmt.Fprintf(&b, "%s: (%d bytes that are no text)\n", key, len(value))
		case strings.Contains(value, "\n"):
			fmt.Fprintf(&b, "%s: |\n  %s\n", key, strings.ReplaceAll(strings.TrimSuffix(value, "\n"), "\n", "\n  "))
		default:
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	if len(values) == 0 {
		return "the Secret has no keys\n"
	}
	return b.String()
}
