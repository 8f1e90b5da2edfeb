package resources

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/views/draw"
)

type row = *apitable.Row

// Titles of columns with a meaning of their own.
const (
	titleNamespace = "NAMESPACE"
	titleName      = "NAME"
	titleAge       = "AGE"
	titleReady     = "READY"
)

// columnsOf are the server's columns, after the namespace where the resource has one,
// and the columns of the keys that sort.
func columnsOf(t *apitable.Table) ([]draw.Column[row], map[keymap.Action]string) {
	var columns []draw.Column[row]
	if t.Listing.Namespaced {
		columns = append(columns, draw.Column[row]{
			Title: titleNamespace, Importance: 90, Min: 6, Max: 40,
			Cell:    func(r row, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.Namespace, Role: themes.Dim} },
			Compare: func(a, b row) int { return cmp.Compare(a.Namespace, b.Namespace) },
		})
	}
	taken := map[string]bool{titleNamespace: t.Listing.Namespaced}
	for i, c := range t.Columns {
		title := strings.ToUpper(draw.Clean(c.Name))
		for n := 2; taken[title]; n++ {
			title = strings.ToUpper(draw.Clean(c.Name)) + " " + strconv.Itoa(n)
		}
		taken[title] = true
		columns = append(columns, columnOf(title, i, c))
	}
	return columns, sortsOf(columns)
}

// columnOf is one column of the server.
func columnOf(title string, i int, c apitable.Column) draw.Column[row] {
	text := func(r row) string {
		if i >= len(r.Cells) {
			return ""
		}
		return r.Cells[i]
	}
	column := draw.Column[row]{
		Title: title, Importance: max(1, 60-i), Min: 6, Max: 60, Wide: c.Priority > 0,
		Right:   c.Type == "integer" || c.Type == "number",
		Cell:    func(r row, ink draw.Ink) draw.Cell { return cellOf(title, r, text(r), ink) },
		Compare: func(a, b row) int { return compareTexts(text(a), text(b)) },
	}
	switch {
	case title == titleName:
		column.Importance, column.Min, column.Want, column.Max = 100, 16, 28, 120
	case title == titleAge:
		column.Importance, column.Right = 85, true
		column.Cell = func(r row, ink draw.Ink) draw.Cell {
			if r.Created.IsZero() {
				return draw.Cell{Text: text(r), Role: themes.Dim}
			}
			return draw.Cell{Text: ink.Ages.Since(r.Created), Role: themes.Dim}
		}
		column.Compare = func(a, b row) int { return b.Created.Compare(a.Created) }
	case states[title]:
		column.Importance, column.Min, column.Want = 95, 9, 18 // ContainerCreating, CrashLoopBackOff; at forty cells a part of it
		if title == titleReady {                               // a number, beside the word for it
			column.Importance = 94
		}
	}
	return column
}

// cellOf is a cell; what names a state is coloured by it.
func cellOf(title string, r row, text string, ink draw.Ink) draw.Cell {
	switch {
	case text == "":
		return draw.Cell{Text: ink.Theme.Glyphs.Dash, Role: themes.Dim}
	case states[title]:
		return draw.Cell{Text: text, Role: stateRole(title, text)}
	case r.Completed:
		return draw.Cell{Text: text, Role: themes.Dim}
	case title == titleName && r.Deleting:
		return draw.Cell{Text: text, Role: themes.Redoing}
	}
	return draw.Cell{Text: masked(text)}
}

// shortest is how long a token with a shape of its own is at least.
const shortest = 20

// masked is a cell without secrets: columns of custom resources show any field.
func masked(text string) string {
	if len(text) < shortest {
		return text
	}
	return redact.Mask(text)
}

// sortsOf maps the sort keys to the columns that there are.
func sortsOf(columns []draw.Column[row]) map[keymap.Action]string {
	sorts := map[keymap.Action]string{}
	has := func(title string) bool {
		return slices.ContainsFunc(columns, func(c draw.Column[row]) bool { return c.Title == title })
	}
	for action, titles := range map[keymap.Action][]string{
		keymap.SortName: {titleName}, keymap.SortAge: {titleAge}, keymap.SortNS: {titleNamespace},
		keymap.SortStatus: {"STATUS", "PHASE", "STATE", titleReady, "AVAILABLE"},
	} {
		if at := slices.IndexFunc(titles, has); at >= 0 {
			sorts[action] = titles[at]
		}
	}
	return sorts
}

// compareTexts orders cells: numbers, quantities and durations by their value and before
// words, words by their letters.
func compareTexts(a, b string) int {
	x, isX := number(a)
	y, isY := number(b)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case isX:
		return -1
	case isY:
		return 1
	}
	return cmp.Compare(a, b)
}

// number is the value of a number ("12", "3/4", "85%"), of a duration as the server
// prints it ("5d3h"), or of a quantity ("16Gi").
func number(text string) (float64, bool) {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return 0, false
	}
	first, _, _ := strings.Cut(text, "/")
	first, _, _ = strings.Cut(first, " ") // "3 (2m ago)"
	if n, err := strconv.ParseFloat(strings.TrimSuffix(first, "%"), 64); err == nil {
		return n, true
	}
	if seconds, is := seconds(first); is {
		return seconds, true
	}
	if q, err := resource.ParseQuantity(first); err == nil {
		return q.AsApproximateFloat64(), true
	}
	return 0, false
}

// unitSeconds are the units of durations in tables.
var unitSeconds = map[byte]float64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'y': 365 * 86400}

// seconds reads "5d3h".
func seconds(text string) (total float64, is bool) {
	n := 0.0
	digits := false
	for i := range len(text) {
		c := text[i]
		unit, isUnit := unitSeconds[c]
		switch {
		case c >= '0' && c <= '9':
			n, digits = n*10+float64(c-'0'), true
		case isUnit && digits:
			total, n, digits = total+n*unit, 0, false
		default:
			return 0, false
		}
	}
	return total, !digits
}
