package keymap

// Actions of every table.
const (
	Up           Action = "table.up"
	Down         Action = "table.down"
	Top          Action = "table.top"
	Bottom       Action = "table.bottom"
	PageUp       Action = "table.page-up"
	PageDown     Action = "table.page-down"
	Open         Action = "table.open"
	Mark         Action = "table.mark"
	MarkRange    Action = "table.mark-range"
	ClearMarks   Action = "table.clear-marks"
	CopyName     Action = "table.copy-name"
	CopyNS       Action = "table.copy-namespace"
	Save         Action = "table.save"
	FaultyOnly   Action = "table.faulty-only"
	Wide         Action = "table.wide"
	UseNamespace Action = "table.use-namespace"
	JumpOwner    Action = "table.jump-owner"
	YAML         Action = "table.yaml"
	Describe     Action = "table.describe"
	SortName     Action = "table.sort-name"
	SortAge      Action = "table.sort-age"
	SortStatus   Action = "table.sort-status"
	SortNS       Action = "table.sort-namespace"
	SortLeft     Action = "table.sort-column-left"
	SortRight    Action = "table.sort-column-right"
	SortChosen   Action = "table.sort-chosen"
)

// tableKeys are the keys of every table.
var tableKeys = []Binding{
	{Table, keys("up", "k"), Up, "up", "one row up", groupMove, false},
	{Table, keys("down", "j"), Down, "down", "one row down", groupMove, false},
	{Table, keys("g", "home"), Top, "top", "first row", groupMove, false},
	{Table, keys("G", "end"), Bottom, "bottom", "last row", groupMove, false},
	{Table, keys("ctrl+f", "pgdown"), PageDown, "page down", "one page down", groupMove, false},
	{Table, keys("ctrl+b", "pgup"), PageUp, "page up", "one page up", groupMove, false},
	{Table, keys("d"), Describe, "describe", "describe the object under the cursor and list the events about it", groupRows, true},
	{Table, keys("y"), YAML, "YAML", "YAML of the object under the cursor", groupRows, true},
	{Table, keys("J"), JumpOwner, "owner", "jump to the owner", groupRows, false},
	{Table, keys("w"), UseNamespace, "namespace", "go to the namespace of the row", groupRows, false},
	{Table, keys("space"), Mark, "mark", "mark the row, or take its mark away", groupRows, false},
	{Table, keys("ctrl+space"), MarkRange, "mark range", "mark from the last marked row to this one", groupRows, false},
	{Table, keys("ctrl+\\"), ClearMarks, "clear marks", "take all marks away", groupRows, false},
	{Table, keys("c"), CopyName, "copy name", "copy the names of the marked rows, or of this one", groupRows, false},
	{Table, keys("n", "ctrl+n"), CopyNS, "copy namespace", "copy the namespaces of the marked rows, or of this one", groupRows, false},
	{Table, keys("ctrl+s"), Save, "save", "save the table to a file", groupRows, false},
	{Table, keys("ctrl+z"), FaultyOnly, "faulty", "only rows in trouble, or all", groupRows, false},
	{Table, keys("ctrl+w"), Wide, "wide", "all columns in full, or those that fit", groupRows, false},
	{Table, keys("left", "<"), ScrollLeft, "left", "scroll the columns to the left", groupMove, false},
	{Table, keys("right", ">"), ScrollRight, "right", "scroll the columns to the right, where they do not fit", groupMove, false},
	{Table, keys("N"), SortName, "name", "sort by name; again turns the order", groupSort, false},
	{Table, keys("A"), SortAge, "age", "sort by age", groupSort, false},
	{Table, keys("S"), SortStatus, "status", "sort by status", groupSort, false},
	{Table, keys("P"), SortNS, "namespace", "sort by namespace", groupSort, false},
	{Table, keys("shift+left"), SortLeft, "column left", "choose the column to the left", groupSort, false},
	{Table, keys("shift+right"), SortRight, "column right", "choose the column to the right", groupSort, false},
	{Table, keys("O"), SortChosen, "sort by column", "sort by the chosen column", groupSort, false},
}
