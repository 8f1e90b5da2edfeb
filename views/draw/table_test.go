package draw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
)

type fruit struct {
	name  string
	count int
	bad   bool
}

func fruits() *Table[fruit] {
	return &Table[fruit]{
		Noun: "fruit",
		Columns: []Column[fruit]{
			{Title: "NAME", Importance: 100, Min: 4, Cell: func(f fruit, _ Ink) Cell { return Cell{Text: f.name} }, Compare: func(a, b fruit) int { return cmp.Compare(a.name, b.name) }},
			{Title: "COUNT", Importance: 50, Right: true, Descending: true, Cell: func(f fruit, _ Ink) Cell { return Cell{Text: fmt.Sprint(f.count), Role: themes.Good} }, Compare: func(a, b fruit) int { return cmp.Compare(a.count, b.count) }},
			{Title: "HUE", Importance: 10, Wide: true, Cell: func(fruit, Ink) Cell { return Cell{Text: "green"} }},
			{Title: "NOTE", Importance: 80, Min: 4, Grow: true, Cell: func(f fruit, _ Ink) Cell { return Cell{Text: "a note about " + f.name} }},
		},
		Key:    func(f fruit) string { return f.name },
		Faulty: func(f fruit) bool { return f.bad },
	}
}

func ink() Ink {
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		panic(err)
	}
	return Ink{Theme: theme, Ages: &Ages{}}
}

var sorts = map[keymap.Action]string{keymap.SortName: "NAME"}

func (t *Table[R]) mustDo(test *testing.T, actions ...keymap.Action) {
	test.Helper()
	for _, a := range actions {
		if !t.Do(a, sorts) {
			test.Fatalf("%s is not handled", a)
		}
	}
}

func plain(lines []string) string { return ansi.Strip(strings.Join(lines, "\n")) }

func load(t *Table[fruit], version uint64, rows ...fruit) {
	t.Load(Version{Data: version}, ink(), func() []fruit { return rows })
}

func TestCursorStaysOnItsObject(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "b"}, fruit{name: "d"})
	load(table, 2, fruit{name: "a"}, fruit{name: "b"}, fruit{name: "d"})
	if row, _ := table.Current(); row.name != "a" {
		t.Errorf("before anybody moved it the cursor is on %s, not on the first row", row.name)
	}
	table.mustDo(t, keymap.Bottom)
	load(table, 3, fruit{name: "c"}, fruit{name: "a"}, fruit{name: "d"}, fruit{name: "e"})
	if row, _ := table.Current(); row.name != "d" {
		t.Errorf("the cursor went from d to %s", row.name)
	}
	table.mustDo(t, keymap.SortName, keymap.SortName)
	table.Render(ink(), 40, 10)
	if row, _ := table.Current(); row.name != "d" {
		t.Errorf("sorting moved the cursor from d to %s", row.name)
	}
	load(table, 4, fruit{name: "a"}, fruit{name: "c"})
	if row, ok := table.Current(); !ok || row.name == "d" {
		t.Errorf("the cursor is on %v, %v after its object went", row, ok)
	}
	load(table, 5)
	if _, ok := table.Current(); ok {
		t.Error("an empty table has a row under the cursor")
	}
	table.mustDo(t, keymap.Down, keymap.PageUp, keymap.Mark, keymap.MarkRange)
}

func TestMarksStayOnTheirObjects(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "a"}, fruit{name: "b"}, fruit{name: "c"}, fruit{name: "d"})
	table.mustDo(t, keymap.Down, keymap.Mark, keymap.Down, keymap.MarkRange)
	var names []string
	for _, row := range table.Chosen() {
		names = append(names, row.name)
	}
	if got := strings.Join(names, ""); got != "bcd" {
		t.Errorf("marked %s, want bcd", got)
	}
	load(table, 2, fruit{name: "d"}, fruit{name: "x"}, fruit{name: "b"})
	if got := len(table.Chosen()); got != 2 {
		t.Errorf("%d marked rows are left, want 2", got)
	}
	table.mustDo(t, keymap.ClearMarks)
	if len(table.Chosen()) != 1 || table.Marks() != 0 {
		t.Error("marks are left after clearing them")
	}
}

// The column that the rows are sorted by is shown before more important ones.
func TestTheSortedColumnIsShown(t *testing.T) {
	cell := func(row string, _ Ink) Cell { return Cell{Text: row} }
	table := &Table[string]{Key: func(row string) string { return row }, Columns: []Column[string]{
		{Title: "NAME", Importance: 100, Cell: cell}, {Title: "WHY", Importance: 90, Cell: cell}, {Title: "AGE", Importance: 10, Cell: cell, Compare: strings.Compare},
	}}
	table.Load(Version{Data: 1}, ink(), func() []string { return []string{"abcdefgh"} })
	for title, want := range map[string][2]bool{"": {true, false}, "AGE": {false, true}} {
		table.SortBy(title, false)
		titles := table.Render(ink(), gutter+8+1+8, 5)[0]
		if got := [2]bool{strings.Contains(titles, "WHY"), strings.Contains(titles, "AGE")}; got != want {
			t.Errorf("sorted by %q the titles are %q", title, titles)
		}
	}
}

func TestSortKeysTurnTheOrder(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "b", count: 2}, fruit{name: "a", count: 3}, fruit{name: "c", count: 1})
	order := func() string {
		table.Render(ink(), 60, 10)
		names := ""
		for _, row := range table.Rows() {
			names += row.name
		}
		return names
	}
	want := func(names string) {
		t.Helper()
		if got := order(); got != names {
			t.Errorf("%s: order %s, want %s", table.SortedBy(), got, names)
		}
	}
	want("bac")
	table.mustDo(t, keymap.SortName)
	want("abc")
	table.mustDo(t, keymap.SortName)
	want("cba")
	table.mustDo(t, keymap.SortRight, keymap.SortRight, keymap.SortChosen)
	want("abc") // by count, the most first
	if title, descending := table.Sorting(); title != "COUNT" || !descending {
		t.Errorf("sorted by %s, descending %v", title, descending)
	}
	table.Click(gutter, 0)
	want("abc")
	if title, _ := table.Sorting(); title != "NAME" {
		t.Errorf("a click on the title sorted by %s", title)
	}
}

func TestColumnsGiveWayByImportance(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "strawberry", count: 12})
	titles := func(width int) string {
		return strings.Join(strings.Fields(plain(table.Render(ink(), width, 3)[:1])), " ")
	}
	for _, c := range []struct {
		width int
		want  string
	}{{100, "NAME COUNT NOTE"}, {30, "NAME COUNT NOTE"}, {14, "NAME NOTE ›"}, {8, "NAME ›"}, {3, "…"}} {
		if got := titles(c.width); got != c.want {
			t.Errorf("at %d cells: %q, want %q", c.width, got, c.want)
		}
	}
	table.mustDo(t, keymap.Wide)
	if got := titles(100); got != "NAME COUNT HUE NOTE" {
		t.Errorf("wide: %q", got)
	}
}

func TestRowsNeverLeaveTheScreen(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "日本語日本語日本語", count: -1}, fruit{name: "\x1b[31mred\x1b[2J"}, fruit{name: strings.Repeat("x", 5000)})
	for width := range 140 {
		for _, height := range []int{0, 1, 2, 5} {
			lines := table.Render(ink(), width, height)
			if len(lines) != height {
				t.Fatalf("%d lines at height %d", len(lines), height)
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > width && width > gutter {
					t.Fatalf("%d cells at width %d: %q", ansi.StringWidth(line), width, ansi.Strip(line))
				}
				if strings.Contains(line, "\x1b[2J") || strings.Contains(line, "\x1b[31m") {
					t.Fatalf("an escape sequence came through: %q", line)
				}
			}
		}
	}
}

func TestColumnsDoNotJitter(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "watermelon"})
	wide := plain(table.Render(ink(), 60, 3)[:1])
	load(table, 2, fruit{name: "fig"})
	if narrow := plain(table.Render(ink(), 60, 3)[:1]); narrow != wide {
		t.Errorf("columns moved when a name got shorter:\n%s\n%s", wide, narrow)
	}
}

func TestFilterAndFaulty(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "fig", bad: true}, fruit{name: "pear"})
	if err := table.SetFilter("pear"); err != nil {
		t.Fatal(err)
	}
	load(table, 1)
	if table.Len() != 1 || table.Total() != 2 {
		t.Errorf("%d of %d rows", table.Len(), table.Total())
	}
	if err := table.SetFilter("("); err == nil || table.Filter() != "pear" {
		t.Errorf("a broken filter: %v, in force %q", err, table.Filter())
	}
	table.mustDo(t, keymap.FaultyOnly)
	load(table, 1)
	if table.Len() != 0 {
		t.Errorf("%d faulty pears", table.Len())
	}
}

func TestTheSelectedRowIsSelectedAcrossItsCells(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "fig", count: 3}, fruit{name: "pear", count: 4})
	theme := ink().Theme
	lines := table.Render(ink(), 60, 3)
	if strings.Contains(lines[1], theme.Open(themes.Good, false)) || !strings.Contains(lines[1], theme.Open(themes.Good, true)) {
		t.Errorf("the count leaves the selected row's ground: %q", lines[1])
	}
	if ansi.StringWidth(lines[1]) != 60 {
		t.Errorf("the ground is %d cells wide", ansi.StringWidth(lines[1]))
	}
	if strings.Contains(lines[2], theme.Open(themes.Good, true)) {
		t.Error("another row is selected too")
	}
}

func TestTextIsTheWholeTable(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "fig", count: 3}, fruit{name: "watermelon", count: 4})
	want := "NAME        COUNT  NOTE\nfig         3      a note about fig\nwatermelon  4      a note about watermelon\n"
	if got := table.Text(ink()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A few cells make a name whole before a sentence gets its part of the line.
func TestShortWordsComeBeforeSentences(t *testing.T) {
	columns := []Column[int]{{Title: "QUEUE", Min: 8, Max: 26}, {Title: "WHY", Min: 12, Want: 20, Grow: true}}
	laidOut := layout(columns, []int{11, 90}, 60, 2)
	if laidOut[0].width != 11 {
		t.Errorf("the queue has %d of 11 cells, and the sentence %d", laidOut[0].width, laidOut[1].width)
	}
}

// Names get the cells that nothing else has use for, beyond their bound.
// A name that lacks a cell or two is written whole, and the sentence beside it gives them.
func TestANameIsNotCutForACell(t *testing.T) {
	columns := []Column[int]{
		{Title: "NODE", Importance: 70, Name: true, Min: 10, Max: 40},
		{Title: "WHY", Importance: 60, Min: 8, Share: 60, Grow: true},
	}
	for name, want := range map[int]int{11: 11, 12: 12, 13: 10} {
		if laidOut := layout(columns, []int{name, 90}, 30, 2); laidOut[0].width != want || laidOut[0].width+laidOut[1].width != 28 {
			t.Errorf("a name of %d cells gets %+v", name, laidOut)
		}
	}
}

func TestNamesAreNotCutBesideEmptyRoom(t *testing.T) {
	columns := []Column[int]{{Title: "QUEUE", Importance: 100, Name: true, Min: 8, Max: 20}, {Title: "NOTE", Importance: 50, Min: 8, Max: 20}, {Title: "WHY", Importance: 90, Min: 12, Grow: true}}
	widths := func(width int) (all []int) {
		for _, s := range layout(columns, []int{50, 20, 30}, width, 2) {
			all = append(all, s.width)
		}
		return all
	}
	for width, want := range map[int][]int{120: {50, 20, 46}, 94: {40, 20, 30}, 74: {20, 20, 30}} {
		if got := widths(width); !slices.Equal(got, want) {
			t.Errorf("at %d the widths are %v, not %v", width, got, want)
		}
	}
}

// A sentence that is cut gets its share of the line before bars behind numbers
// do, and no more than that.
func TestSentencesComeBeforeBars(t *testing.T) {
	columns := []Column[int]{
		{Title: "LOSS", Importance: 75, Min: 7, Want: 16, Max: 16},
		{Title: "STEP", Importance: 65, Min: 12, Want: 19, Max: 19},
		{Title: "NAME", Importance: 100, Name: true, Min: 12, Want: 14, Max: 48},
		{Title: "WHY", Importance: 90, Min: 10, Want: 12, Grow: true},
	}
	widths := func(why int) (all []int) {
		for _, s := range layout(columns, []int{16, 19, 30, why}, 106, 2) {
			all = append(all, s.width)
		}
		return all
	}
	if got := widths(20); got[0] != 16 || got[1] != 19 {
		t.Errorf("a short sentence takes the bars: %v", got)
	}
	columns = append(columns, Column[int]{Title: "AGE", Importance: 99})
	all := func(why int) []int {
		var all []int
		for _, s := range layout(columns, []int{16, 19, 30, why, 10}, 106, 2) {
			all = append(all, s.width)
		}
		return all
	}
	if got := all(90); got[0] != 16 || got[1] != 12 || got[3] < 28 {
		t.Errorf("the widths are %v", got)
	}
}

// runs is a table whose second column may be empty and whose names are long.
func runs() *Table[fruit] {
	return &Table[fruit]{
		Noun: "run",
		Columns: []Column[fruit]{
			{Title: "NAME", Importance: 100, Min: 8, Max: 48, Name: true, Cell: func(f fruit, _ Ink) Cell { return Cell{Text: f.name} }},
			{Title: "QUEUE", Importance: 50, Min: 8, Cell: func(f fruit, ink Ink) Cell {
				if f.bad {
					return Cell{Text: "team-a"}
				}
				return Cell{Text: ink.Theme.Glyphs.Dash}
			}},
			{Title: "AGE", Importance: 60, Right: true, Reserve: 5, Cell: func(f fruit, _ Ink) Cell { return Cell{Text: fmt.Sprintf("%ds", f.count)} }},
			{Title: "WHY", Importance: 90, Min: 8, Grow: true, Wrap: true, Cell: func(f fruit, _ Ink) Cell {
				return Cell{Text: "why the run " + f.name + " waits, in one long sentence"}
			}},
		},
		Key: func(f fruit) string { return f.name },
	}
}

func TestAColumnWithoutAnyValueGoesAway(t *testing.T) {
	table := runs()
	load(table, 1, fruit{name: "a"}, fruit{name: "b"})
	if got := plain(table.Render(ink(), 100, 4)); strings.Contains(got, "QUEUE") {
		t.Errorf("an empty column takes room:\n%s", got)
	}
	load(table, 2, fruit{name: "a"}, fruit{name: "b", bad: true})
	if got := plain(table.Render(ink(), 100, 4)); !strings.Contains(got, "QUEUE") {
		t.Errorf("a column with a value is not shown:\n%s", got)
	}
}

func TestNamesOnTheScreenDiffer(t *testing.T) {
	table := runs()
	load(table, 1, fruit{name: "llama-3-8b-sft-lr3e-4-seed-1-of-the-sweep"}, fruit{name: "llama-3-8b-sft-lr3e-4-seed-2-of-the-sweep"})
	for width := 20; width < 100; width++ {
		lines := table.Render(ink(), width, 3)
		if a, b := strings.Fields(plain(lines[1:2]))[1], strings.Fields(plain(lines[2:3]))[0]; a == b {
			t.Errorf("at %d cells two runs are called %s", width, a)
		}
	}
}

func TestAnAgeMovesNoColumn(t *testing.T) {
	table := runs()
	load(table, 1, fruit{name: "a", count: 1})
	young := strings.Index(plain(table.Render(ink(), 100, 3)), "WHY")
	load(table, 2, fruit{name: "a", count: 1000})
	if old := strings.Index(plain(table.Render(ink(), 100, 3)), "WHY"); old != young {
		t.Errorf("WHY moved from cell %d to %d", young, old)
	}
}

func TestColumnsScrollSideways(t *testing.T) {
	table := runs()
	long := strings.Repeat("long-", 8)
	load(table, 1, fruit{name: long + "a", bad: true, count: 100})
	for _, width := range []int{24, 40, 60, 80} {
		table.SetWide(false)
		narrow := plain(table.Render(ink(), width, 3))
		table.mustDo(t, keymap.Wide)
		if wide := plain(table.Render(ink(), width, 3)); wide == narrow || !strings.Contains(strings.Split(wide, "\n")[0], "›") {
			t.Errorf("at %d cells ctrl-w shows the same, or not that there is more:\n%s\n%s", width, narrow, wide)
		}
		seen := ""
		for range 8 {
			seen += plain(table.Render(ink(), width, 3))
			table.mustDo(t, keymap.ScrollRight)
		}
		end := plain(table.Render(ink(), width, 3))
		for _, want := range []string{"QUEUE", "team-a", "AGE", "100s", "WHY"} {
			if !strings.Contains(seen, want) {
				t.Errorf("at %d cells %s is never seen", width, want)
			}
		}
		if !strings.HasPrefix(end, "‹ NAME") {
			t.Errorf("at %d cells the name is not beside what was scrolled to:\n%s", width, end)
		}
		for range 8 {
			table.mustDo(t, keymap.ScrollLeft)
		}
		if back := plain(table.Render(ink(), width, 3)); strings.HasPrefix(back, "‹") {
			t.Errorf("at %d cells the first column does not come back:\n%s", width, back)
		}
	}
	table.SetWide(false)
	if whole := plain(table.Render(ink(), 200, 3)); strings.ContainsAny(whole, "‹›") || !table.Whole() {
		t.Errorf("all columns fit, and it says that there are more:\n%s", whole)
	}
}

func TestASentenceTakesASecondLineWhereThereIsRoom(t *testing.T) {
	table := runs()
	load(table, 1, fruit{name: "a"}, fruit{name: "b"})
	tall := plain(table.Render(ink(), 50, 6))
	if !strings.Contains(tall, "sentence") || strings.Contains(tall, "…") {
		t.Errorf("the sentence is cut beside empty lines:\n%s", tall)
	}
	if low := plain(table.Render(ink(), 50, 3)); !strings.Contains(low, "…") || !strings.Contains(low, "  b") {
		t.Errorf("a second line pushed a row out:\n%s", low)
	}
	table.Render(ink(), 50, 6)
	if hit := table.Click(5, 3); !hit {
		t.Error("no row is hit")
	}
	if row, _ := table.Current(); row.name != "b" {
		t.Errorf("a click below the second line chose %s", row.name)
	}
	if table.Click(5, 5) {
		t.Error("an empty line is a row")
	}
}

// While lines are to spare a sentence goes on below its row: each gets a second
// line before one gets a third, and no row leaves the screen for it.
func TestSentencesGoOnBelowTheirRows(t *testing.T) {
	table := runs()
	table.Columns[3].Cell = func(f fruit, _ Ink) Cell {
		return Cell{Text: strings.TrimSpace(strings.Repeat("waits for eight more GPUs ", f.count))}
	}
	load(table, 1, fruit{name: "a", count: 3}, fruit{name: "b", count: 1}, fruit{name: "c", count: 4})
	for height, want := range map[int]int{4: 2, 5: 2, 6: 2, 7: 1, 8: 1, 9: 0, 20: 0} {
		lines := table.Render(ink(), 46, height)
		got := plain(lines)
		for _, name := range []string{"a ", "b ", "c "} {
			if strings.Count("\n"+got, "\n  "+name)+strings.Count("\n"+got, "\n▌ "+name) != 1 {
				t.Errorf("row %sis not on the screen once:\n%s", name, got)
			}
		}
		if cut := strings.Count(got, "…"); cut != want {
			t.Errorf("%d sentences are cut in %d lines, want %d:\n%s", cut, height, want, got)
		}
	}
}

// A row that is shown because of what its column cuts off is explained; the text on a
// further line is not cut off.
func TestFiltersNameColumnsThatCutWhatTheyFound(t *testing.T) {
	names := &Table[string]{Key: func(s string) string { return s }, Columns: []Column[string]{
		{Title: "NAME", Importance: 100, Name: true, Min: 10, Cell: func(s string, _ Ink) Cell { return Cell{Text: s} }},
	}}
	names.Load(Version{Data: 1}, ink(), func() []string { return []string{"apple", "a-long-name-of-a-fruit-77-from-far-away"} })
	sentences := &Table[string]{Key: func(s string) string { return s }, Columns: []Column[string]{
		{Title: "ID", Importance: 100, Cell: func(s string, _ Ink) Cell { return Cell{Text: s[:2]} }},
		{Title: "WHY", Importance: 90, Min: 10, Grow: true, Wrap: true, Cell: func(s string, _ Ink) Cell { return Cell{Text: s} }},
	}}
	sentences.Load(Version{Data: 1}, ink(), func() []string {
		return []string{"r1 the claim waits for node gpu-a100-05 of rack seventy-seven", "r2 nothing"}
	})
	for _, c := range []struct {
		filter string
		draw   func() string
		want   string
	}{
		{"fruit-77", func() string { names.Render(ink(), 60, 10); return names.FilterLine() }, ""},
		{"fruit-77", func() string { names.Render(ink(), 20, 10); return names.FilterLine() }, " (also in NAME, cut off)"},
		{"apple", func() string { names.Render(ink(), 20, 10); return names.FilterLine() }, ""},
		{"seventy-seven", func() string { sentences.Render(ink(), 30, 12); return sentences.FilterLine() }, ""},
		{"seventy-seven", func() string { sentences.Render(ink(), 30, 2); return sentences.FilterLine() }, " (also in WHY, cut off)"},
		{"!seventy-seven", func() string { sentences.Render(ink(), 30, 2); return sentences.FilterLine() }, ""},
	} {
		for _, set := range []func(string) error{names.SetFilter, sentences.SetFilter} {
			if err := set(c.filter); err != nil {
				t.Fatal(err)
			}
		}
		if got := c.draw(); got != c.filter+c.want {
			t.Errorf("%s: %q", c.filter, got)
		}
	}
}

// A row that a filter hides or shows because of a column for which the screen
// is too narrow is explained, and a filter finds the same at every width.
func TestFiltersNameColumnsThatAreNotShown(t *testing.T) {
	table := fruits()
	load(table, 1, fruit{name: "apple", count: 77}, fruit{name: "77er", count: 1}, fruit{name: "plum", count: 4})
	expect := func(filter string, width int, rows, line string) {
		t.Helper()
		if err := table.SetFilter(filter); err != nil {
			t.Fatal(err)
		}
		table.Render(ink(), width, 10)
		var names []string
		for _, row := range table.Rows() {
			names = append(names, row.name)
		}
		if got := strings.Join(names, " "); got != rows || table.FilterLine() != line {
			t.Errorf("%q at %d: rows %q, want %q; line %q, want %q", filter, width, got, rows, table.FilterLine(), line)
		}
	}
	const narrow, wide = 14, 60
	expect("77", wide, "apple 77er", "77")
	expect("77", narrow, "apple 77er", "77 (also in COUNT, not shown)")
	expect("!77", wide, "plum", "!77")
	expect("!77", narrow, "plum", "!77 (also in COUNT, not shown)")
	expect("-f 77", narrow, "apple 77er", "-f 77 (also in COUNT, not shown)")
	expect("!77er", narrow, "apple plum", "!77er")
	expect("plum", narrow, "plum", "plum")
	expect("", narrow, "apple 77er plum", "")
	expect("!.*", narrow, "", "!.*")
}
