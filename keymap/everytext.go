package keymap

// Actions of every pager.
const (
	LineUp      Action = "pager.up"
	LineDown    Action = "pager.down"
	ScrollLeft  Action = "pager.left"
	ScrollRight Action = "pager.right"
	TextTop     Action = "pager.top"
	TextBottom  Action = "pager.bottom"
	TextPageUp  Action = "pager.page-up"
	TextPageDn  Action = "pager.page-down"
	NextMatch   Action = "pager.next-match"
	PrevMatch   Action = "pager.previous-match"
	Wrap        Action = "pager.wrap"
	CopyText    Action = "pager.copy"
	SaveText    Action = "pager.save"
)

// pagerKeys are the keys of every pager.
var pagerKeys = []Binding{
	{Pager, keys("up", "k"), LineUp, "up", "one line up", groupMove, false},
	{Pager, keys("down", "j"), LineDown, "down", "one line down", groupMove, false},
	{Pager, keys("left", "h"), ScrollLeft, "left", "scroll to the left", groupMove, false},
	{Pager, keys("right", "l"), ScrollRight, "right", "scroll to the right", groupMove, false},
	{Pager, keys("g", "home"), TextTop, "top", "to the beginning", groupMove, false},
	{Pager, keys("G", "end"), TextBottom, "bottom", "to the end", groupMove, false},
	{Pager, keys("ctrl+f", "pgdown", "space"), TextPageDn, "page down", "one page down", groupMove, false},
	{Pager, keys("ctrl+b", "pgup"), TextPageUp, "page up", "one page up", groupMove, false},
	{Pager, keys("/"), Filter, "search", "search the text (regex)", groupRows, true},
	{Pager, keys("n"), NextMatch, "next", "next match of the search", groupRows, true},
	{Pager, keys("N"), PrevMatch, "previous", "previous match of the search", groupRows, false},
	{Pager, keys("w"), Wrap, "wrap", "wrap long lines, or cut them", groupRows, true},
	{Pager, keys("c"), CopyText, "copy", "copy all of the text", groupRows, true},
	{Pager, keys("ctrl+s"), SaveText, "save", "save the text to a file", groupRows, false},
}
