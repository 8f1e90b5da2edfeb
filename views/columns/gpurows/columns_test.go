package gpurows

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
)

func TestEveryTitleHasOneColumn(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Columns() {
		if seen[c.Title] {
			t.Errorf("two columns are called %s", c.Title)
		}
		seen[c.Title] = true
	}
	Columns().Named(All...) // panics for a title without a column
}

// Unknown values are drawn and printed as such in every column of a number, and
// no column needs a snapshot for that.
func TestAGPUThatNobodyMeasured(t *testing.T) {
	row := &Row{GPUState: &train.GPUState{GPU: train.GPU{Node: "a", Index: "0"}, Rank: -1, Count: 1}, Sharing: 1}
	for _, c := range Columns() {
		cell := c.Cell(row, columns.PlainInk()).String()
		if c.Right && c.Title != TitleRank && cell != "-" {
			t.Errorf("%s draws %q", c.Title, cell)
		}
	}
	var b strings.Builder
	if err := Columns().Named(TitleNode, TitleUse, TitleMemory, TitlePower, TitleXid, TitlePod).Print(&b, 2, []*Row{row}); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(strings.Fields(b.String()), " "), "NODE USE MEMORY POWER XID POD a - - - - -"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestWhatACommandPrintsOfAGPU(t *testing.T) {
	state := train.GPUState{GPU: train.GPU{Node: "a", Index: "3", Model: "NVIDIA H100 80GB HBM3"}, Sources: []train.GPUSource{train.FromTool}, Rank: -1, Free: true}
	for q, v := range map[train.Quantity]float64{
		train.GPUGraphics: 0.25, train.GPUMemoryUsed: 512, train.GPUMemoryTotal: 81920, train.GPUTemperature: 61, train.GPUPower: 512,
		train.GPUPowerLimit: 1200, train.GPUTensorActive: 0.4, train.GPUXid: 79, train.GPUHealthy: 0,
	} {
		state.Values.Set(q, v)
	}
	var b strings.Builder
	titles := []string{TitleGPU, TitleModel, TitleUse, TitleMemory, TitleTemp, TitlePower, TitleTensor, TitleXid, TitleTrouble, TitlePod}
	if err := Columns().Named(titles...).Print(&b, 2, Printed([]train.GPUState{state})); err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(b.String(), "\n")
	if got, want := strings.Join(strings.Fields(line), " "), "3 NVIDIA H100 80GB HBM3 25% 0.5/80 GiB 61C 512/1200 W 40% 79 unhealthy free"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
}

func TestNumbersBeforeAFailureAreGrey(t *testing.T) {
	reading := train.GPUReading{GPU: train.GPU{Index: "0"}, Source: train.FromTool}
	reading.Values.Set(train.GPUTemperature, 50)
	fresh, old := Read(&reading, false), Read(&reading, true)
	c := Columns().Named(TitleTemp)[0]
	if was, is := c.Cell(fresh, columns.PlainInk()), c.Cell(old, columns.PlainInk()); was.Role == is.Role || was.Text != is.Text {
		t.Errorf("fresh %+v, old %+v", was, is)
	}
}
