package views

import (
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Rows is the common part of every screen that is one table. A screen embeds
// it, declares its columns, and adds its own behaviour.
type Rows[R any] struct {
	draw.Table[R]
	// Ref names the object of a row; an empty Kind means that there is none to
	// fetch.
	Ref func(R) train.Ref
	// Sorts maps each sort key to its column.
	Sorts map[keymap.Action]string
	// Enter opens a row.
	Enter func(R, Frame) Effect
	// Detail is the sentence of a row that its column may have to cut; where
	// there is room it is shown in full below the table. nil has none.
	Detail func(R) string

	// standard are the screen's own columns once a person chose others.
	standard []draw.Column[R]
	chose    bool
	// lookUp reads labels and annotations of an object, as in draw.Ink.
	lookUp func(train.Ref) (labels, annotations map[string]string)
}

// Do carries out actions that every table of objects has.
func (r *Rows[R]) Do(action keymap.Action, f Frame) (Effect, bool) {
	r.Arrange(f.Ink())
	if r.Table.Do(action, r.Sorts) {
		return r.noMore(action, f), true
	}
	if action == keymap.Save {
		return SaveFiles{Files: []File{{Name: r.Noun + "s.txt", Text: r.Text(f)}}}, true
	}
	if what, sorting := sortWords[action]; sorting {
		return Notice{Text: "there is no " + what + " to sort by here"}, true
	}
	row, any := r.Current()
	if !any {
		return nil, isRowAction(action)
	}
	ref := r.Ref(row)
	switch action {
	case keymap.Open:
		if r.Enter == nil {
			return nil, false
		}
		return r.Enter(row, f), true
	case keymap.CopyName:
		return r.copied("name", func(ref train.Ref) string { return ref.Name }), true
	case keymap.CopyNS:
		return r.copied("namespace", func(ref train.Ref) string { return ref.Namespace }), true
	case keymap.YAML:
		return manifestOf(ref), true
	case keymap.Describe:
		return Described(ref), true
	case keymap.UseNamespace:
		if ref.Namespace == "" {
			return Notice{Text: "this row is in no namespace", Failed: true}, true
		}
		return UseNamespace{Name: ref.Namespace}, true
	case keymap.JumpOwner:
		return Notice{Text: "nothing owns " + draw.Clean(ref.Name)}, true
	}
	return nil, false
}

// noMore reports that there are no more columns than those on the screen, where a
// key asks for them.
func (r *Rows[R]) noMore(action keymap.Action, f Frame) Effect {
	if action != keymap.Wide && action != keymap.ScrollRight || r.Len() == 0 {
		return nil
	}
	was := r.Whole()
	r.Table.Render(f.Ink(), f.Width, f.Height)
	if was && r.Whole() && (action == keymap.ScrollRight || r.Wide()) {
		return Notice{Text: "all columns are shown"}
	}
	return nil
}

// sortWords name the order of each sort key of every table.
var sortWords = map[keymap.Action]string{
	keymap.SortName: "name", keymap.SortAge: "age", keymap.SortStatus: "status", keymap.SortNS: "namespace",
}

func isRowAction(action keymap.Action) bool {
	switch action {
	case keymap.Open, keymap.CopyName, keymap.CopyNS, keymap.YAML, keymap.Describe, keymap.UseNamespace, keymap.JumpOwner, keymap.Use, keymap.UseContext:
		return true
	}
	return false
}

func manifestOf(ref train.Ref) Effect {
	if ref.Kind == "" {
		return Notice{Text: "there is no object behind this row", Failed: true}
	}
	return ShowManifest{Ref: ref}
}

// Described opens the description of an object.
func Described(ref train.Ref) Effect {
	if ref.Kind == "" {
		return Notice{Text: "there is no object behind this row", Failed: true}
	}
	return OpenScreen{Route: DescribeRoute{Ref: ref}}
}

// copied copies one fact of the chosen rows to the clipboard.
func (r *Rows[R]) copied(what string, of func(train.Ref) string) Effect {
	var texts []string
	for _, row := range r.Chosen() {
		if text := of(r.Ref(row)); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return Notice{Text: "there is no " + what + " to copy", Failed: true}
	}
	return CopyText{Text: strings.Join(texts, "\n"), Notice: "copied " + draw.Plural(len(texts), what)}
}

// KeyWord names no key for a row where there is none.
func (r *Rows[R]) KeyWord(action keymap.Action, word string) string {
	if r.Len() > 0 {
		return word
	}
	switch action {
	case keymap.OpenLogs, keymap.OpenDiagnosis, keymap.OpenCharts, keymap.GoNode, keymap.TakeIncident, keymap.MuteIncident:
		return ""
	}
	if isRowAction(action) {
		return ""
	}
	return word
}

// Selected are the objects of the marked rows, or of the one under the cursor.
func (r *Rows[R]) Selected(Frame) []train.Ref {
	var refs []train.Ref
	for _, row := range r.Chosen() {
		refs = append(refs, r.Ref(row))
	}
	return refs
}

// Cells are the texts of the chosen rows by their object, and by the titles of
// their columns; states without their marks, as programs know them.
func (r *Rows[R]) Cells(f Frame) map[train.Ref]map[string]string {
	ink := f.Ink()
	all := map[train.Ref]map[string]string{}
	for _, row := range r.Chosen() {
		cells := make(map[string]string, len(r.Columns))
		for i := range r.Columns {
			text := draw.Unmarked(f.Theme, strings.TrimSpace(r.Columns[i].Cell(row, ink).String()))
			if text != "" && text != f.Theme.Glyphs.Dash {
				cells[r.Columns[i].Title] = text
			}
		}
		all[r.Ref(row)] = cells
	}
	return all
}

// Text is the whole table.
func (r *Rows[R]) Text(f Frame) string { return r.Table.Text(f.Ink()) }

// Click handles the mouse: a row is chosen, twice is enter, a title sorts.
func (r *Rows[R]) Click(x, y int, double bool, f Frame) Effect {
	if hit := r.Table.Click(x, y); hit && double && r.Enter != nil {
		if row, ok := r.Current(); ok {
			return r.Enter(row, f)
		}
	}
	return nil
}

// Wheel scrolls.
func (r *Rows[R]) Wheel(lines int, _ Frame) { r.Table.Wheel(lines) }

// State is the saved state of the table.
func (r *Rows[R]) State() State {
	title, descending := r.Sorting()
	return State{SortColumn: title, Descending: descending, Wide: r.Wide()}
}

// Restore applies the saved state.
func (r *Rows[R]) Restore(s State) {
	r.SortBy(s.SortColumn, s.Descending)
	r.SetWide(s.Wide)
}

// Note describes how the rows are sorted.
func (r *Rows[R]) Note() string { return r.SortedBy() }

// Flags name what narrows the rows beside the filter, and how many are marked.
func (r *Rows[R]) Flags() string {
	var flags []string
	if r.FaultyOnly() {
		flags = append(flags, "faulty only")
	}
	if n := r.Marks(); n > 0 {
		flags = append(flags, draw.Count(n)+" marked")
	}
	return strings.Join(flags, "  ")
}

// Body draws the table, or explains why there is no row: filters hide them, or
// the screen's own explanation.
func (r *Rows[R]) Body(f Frame, none func() []string) []string {
	if r.Len() > 0 {
		detail := r.detail(f)
		return append(r.Table.Render(f.Ink(), f.Width, f.Height-len(detail)), detail...)
	}
	texts := none
	if r.Total() > 0 {
		r.Table.Render(f.Ink(), f.Width, f.Height) // lays the columns, which FilterLine reads
		texts = r.narrowed
	}
	return f.Message(texts()...)
}

// detailFrom is the height of a body that has room for a row's detail.
const detailFrom = 14

// detail is a rule and two lines for the sentence of the row under the cursor.
func (r *Rows[R]) detail(f Frame) []string {
	row, ok := r.Current()
	if r.Detail == nil || !ok || f.Height < detailFrom {
		return nil
	}
	parts := draw.Wrap(draw.Clean(r.Detail(row)), max(1, f.Width-2))
	if len(parts) > 2 {
		parts = []string{parts[0], strings.Join(parts[1:], " ")}
	}
	lines := []string{f.Theme.Paint(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, f.Width))}
	for _, part := range parts {
		lines = append(lines, f.Line().Add(themes.Text, " "+part).String())
	}
	return draw.Lines(lines, 3)
}

func (r *Rows[R]) narrowed() []string {
	hidden := draw.Plural(r.Total(), r.Noun)
	if text := r.Filter(); text != "" {
		return []string{"no " + r.Noun + " matches /" + text, hidden + " hidden; esc clears the filter"}
	}
	return []string{"no " + r.Noun + " is in trouble", hidden + " hidden; ctrl-z shows them"}
}
