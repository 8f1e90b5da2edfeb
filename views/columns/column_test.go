package columns

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/views/draw"
)

func numbers() Set[string] {
	return Set[string]{
		{Column: draw.Column[string]{Title: "NAME", Importance: 9, Cell: Dim(func(s string) string { return s }), Compare: By(func(s string) string { return s })}, Most: 4},
		{Column: draw.Column[string]{Title: "SIZE", Right: true, Cell: func(s string, ink draw.Ink) draw.Cell {
			if s == "" {
				return Unmeasured(ink)
			}
			return draw.Cell{Text: strings.Repeat("I", len(s)) + " m"}
		}}},
		{Column: draw.Column[string]{Title: "WHY", Cell: Dim(func(string) string { return "" })}, Blank: true},
	}
}

func TestAColumnIsPrintedAsItIsDrawn(t *testing.T) {
	var b strings.Builder
	if err := numbers().Named("SIZE", "NAME", "WHY").Print(&b, 2, []string{"ab", "", "abcdef", "a\x1b[2J"}); err != nil {
		t.Fatal(err)
	}
	want := `SIZE      NAME   WHY
II m      ab     
-         -      
IIIIII m  abcd…  
`
	got := b.String()
	if !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestATextStandsForTheCellOfACommand(t *testing.T) {
	set := numbers()
	set[1].Text = func(s string) string { return strings.ToUpper(s) }
	if got := set[1].printed("ab"); got != "AB" {
		t.Errorf("printed %q", got)
	}
	if got := set[1].printed(""); got != Unknown {
		t.Errorf("of what is not known %q is printed", got)
	}
}

func TestRowsThatHoldNoneComeFirst(t *testing.T) {
	on := On(numbers(), func(s *string) (string, bool) {
		if s == nil {
			return "", false
		}
		return *s, true
	})
	a, b := "a", "b"
	compare := on[0].Compare
	if compare(&a, &b) >= 0 || compare(nil, &a) >= 0 || compare(&a, nil) <= 0 || compare(nil, nil) != 0 {
		t.Error("the order is not that of the rows, with those that hold none before them")
	}
	if cell := on[0].Cell(nil, PlainInk()); cell.String() != "" || on[0].printed(nil) != Unknown {
		t.Errorf("a row that holds none has the cell %q and prints %q", cell.String(), on[0].printed(nil))
	}
	if on[0].Title != "NAME" || on[0].Importance != 9 || !on[1].Right {
		t.Errorf("the column became another: %+v", on[0])
	}
}

func TestWeighChangesNoOtherTable(t *testing.T) {
	set := numbers()
	if heavier := set.Named("NAME").Weigh(map[string]int{"NAME": 50}); heavier[0].Importance != 50 || set[0].Importance != 9 {
		t.Errorf("importance %d, and %d where nobody asked", heavier[0].Importance, set[0].Importance)
	}
}
