package keymap

// Pattern is the screen that makes a format of one's own of a line of a log.
const Pattern Scope = "format"

// Actions about a format of one's own.
const (
	MakePattern Action = "format.make"
	FieldLeft   Action = "format.left"
	FieldRight  Action = "format.right"
	OtherUp     Action = "format.line-up"
	OtherDown   Action = "format.line-down"
	FieldPick   Action = "format.pick"
	FieldName   Action = "format.name"
	PatternSave Action = "format.save"
)

// patternKeys are the keys of that screen.
var patternKeys = []Binding{
	{Pattern, keys("space"), FieldPick, "take", "read the number under the cursor, or leave it", groupScreen, true},
	{Pattern, keys("enter"), FieldName, "name", "name the number under the cursor: step, epoch, loss, or any other", groupScreen, true},
	{Pattern, keys("s", "ctrl+s"), PatternSave, "save", "write the format to the configuration file", groupScreen, true},
	{Pattern, keys("left", "h", "shift+tab"), FieldLeft, "left", "the number before", groupMove, false},
	{Pattern, keys("right", "l", "tab"), FieldRight, "next number", "the next number of the line", groupMove, true},
	{Pattern, keys("up", "k"), OtherUp, "line before", "the kind of line before, which looks more like a metric", groupMove, false},
	{Pattern, keys("down", "j"), OtherDown, "other line", "another kind of line, which looks less like a metric", groupMove, true},
}
