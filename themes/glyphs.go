package themes

// Glyphs are the signs of a theme, each one cell wide.
type Glyphs struct {
	Running, Waiting, Suspended, Restarting, Done, Failed, Unknown, Warning string

	Cursor, Marked       string // before a row
	SortUp, SortDown     string
	Rule, Divider, Crumb string
	Ellipsis, Dash, Dot  string
	Left, Right, Tick    string
	Full, Free, Broken   string // one accelerator: held, free, not usable
	Eighths              []string
	NoBreak              string // where a line of text was wrapped
	Invalid              string // stands for what no terminal may be sent
}

// Unicode needs a terminal with a common font.
func Unicode() Glyphs {
	return Glyphs{
		Running: "●", Waiting: "◐", Suspended: "⏸", Restarting: "↻", Done: "✔", Failed: "✖", Unknown: "–", Warning: "▲",
		Cursor: "▌", Marked: "◆", SortUp: "↑", SortDown: "↓",
		Rule: "─", Divider: "│", Crumb: "›", Ellipsis: "…", Dash: "–", Dot: "·",
		Left: "‹", Right: "›", Tick: "✔", Full: "■", Free: "□", Broken: "×",
		Eighths: []string{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		NoBreak: "↪", Invalid: "�",
	}
}

// ASCII is for terminals and fonts that have nothing else.
func ASCII() Glyphs {
	return Glyphs{
		Running: "*", Waiting: "~", Suspended: "=", Restarting: "@", Done: "+", Failed: "x", Unknown: "-", Warning: "!",
		Cursor: ">", Marked: "#", SortUp: "^", SortDown: "v",
		Rule: "-", Divider: "|", Crumb: ">", Ellipsis: "~", Dash: "-", Dot: "-",
		Left: "<", Right: ">", Tick: "+", Full: "#", Free: ".", Broken: "x",
		Eighths: []string{" ", " ", " ", " ", "=", "=", "=", "=", "#"},
		NoBreak: "\\", Invalid: "?",
	}
}
