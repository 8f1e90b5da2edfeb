package points

import (
	"strings"
	"testing"
)

// A metric may be called like another column of the CSV; each column has a name of
// its own.
func TestColumnsOfCurvesHaveNamesOfTheirOwn(t *testing.T) {
	got := strings.Join(distinct([]string{"line", "step", "loss", "step", "step (2)", "step", "loss"}), ",")
	if want := "line,step,loss,step (2),step (2) (2),step (3),loss (2)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
