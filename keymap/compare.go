package keymap

// Compare is the screen of runs side by side.
const Compare Scope = "compare"

// Actions about runs side by side.
const (
	OpenCompare  Action = "compare.open"
	CompareLeft  Action = "compare.left"
	CompareRight Action = "compare.right"
)

// compareKeys are the keys of runs side by side.
var compareKeys = []Binding{
	{Compare, keys("enter", "C"), OpenCharts, "charts", "curves of the first run in sight with the others laid over, at the metric under the cursor", groupScreen, true},
	{Compare, keys("left", "h"), CompareLeft, "left", "the runs to the left, where not all fit", groupMove, true},
	{Compare, keys("right", "l"), CompareRight, "right", "the runs to the right", groupMove, true},
	{Compare, keys("c"), CopyName, "copy", "copy all as a table of Markdown", groupRows, true},
	{Compare, keys("ctrl+s"), Save, "save CSV", "save all as a CSV file, a row for each run, with numbers in full", groupRows, true},
}
