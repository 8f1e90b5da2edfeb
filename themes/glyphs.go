package themes

// Glyphs are the signs of a theme, each one cell wide.
type Glyphs struct {
	Playing                                                                 string // a recording is playing
	Running, Waiting, Suspended, Restarting, Done, Failed, Unknown, Warning string

	Cursor, Marked       string // before a row
	Pinned               string // before a row that is kept on top
	Alert                string // before a row with an open incident that nobody took
	SortUp, SortDown     string
	Rule, Divider, Crumb string
	Ellipsis, Dash, Dot  string
	Left, Right, Tick    string
	Full, Free, Broken   string // one accelerator: held, free, not usable
	Axis, Split          string // beside and through a plot
	Above, Below         string // values outside of a plot
	Saved                string // a checkpoint
	Eighths              []string
	Levels               []string // heights of a sparkline, the lowest first
	Heat                 []string // a cell of a heat map, the coldest first
	Vacant, Unmeasured   string   // in a heat map: held by nobody, not measured
	Degree               string   // before the C of a temperature; " " where there is no sign for it
	Dots                 []string // a cell of 2 by 4 dots, by the bits of its Braille pattern
	NoBreak              string   // where a line of text was wrapped
	Invalid              string   // replaces text that no terminal may receive
}

// Unicode needs a terminal with a common font.
func Unicode() Glyphs {
	return Glyphs{
		Playing: "▶",
		Running: "●", Waiting: "◐", Suspended: "⏸", Restarting: "↻", Done: "✔", Failed: "✖", Unknown: "–", Warning: "▲",
		Cursor: "▌", Marked: "◆", Pinned: "★", Alert: "!", SortUp: "↑", SortDown: "↓",
		Rule: "─", Divider: "│", Crumb: "›", Ellipsis: "…", Dash: "–", Dot: "·",
		Left: "‹", Right: "›", Tick: "✔", Full: "■", Free: "□", Broken: "×",
		Eighths: []string{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"},
		Axis:    "┤", Split: "╎", Above: "▲", Below: "▼", Saved: "┴",
		Levels: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Dots: braille(),
		Heat: []string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Vacant: "·", Unmeasured: "–", Degree: "°",
		NoBreak: "↪", Invalid: "�",
	}
}

// ASCII is for terminals and fonts that have nothing else.
func ASCII() Glyphs {
	return Glyphs{
		Playing: ">",
		Running: "*", Waiting: "~", Suspended: "=", Restarting: "@", Done: "+", Failed: "x", Unknown: "-", Warning: "!",
		Cursor: ">", Marked: "#", Pinned: "^", Alert: "!", SortUp: "^", SortDown: "v",
		Rule: "-", Divider: "|", Crumb: ">", Ellipsis: "~", Dash: "-", Dot: "-",
		Left: "<", Right: ">", Tick: "+", Full: "#", Free: ".", Broken: "x",
		Eighths: []string{" ", " ", " ", " ", "=", "=", "=", "=", "#"},
		Axis:    "|", Split: ":", Above: "^", Below: "v", Saved: "'",
		Levels: []string{"_", ".", ",", "-", "=", "+", "*", "#"}, Dots: letters(),
		Heat: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, Vacant: ".", Unmeasured: "-", Degree: " ",
		NoBreak: "\\", Invalid: "?",
	}
}

// braille lists the Braille patterns of Unicode, U+2800 to U+28FF.
func braille() []string {
	dots := make([]string, 256)
	for bits := range dots {
		dots[bits] = string(rune(0x2800 + bits))
	}
	return dots
}

// letters replace Braille patterns where there are none: by how high the dots
// of the left and of the right half are.
func letters() []string {
	dots := make([]string, 256)
	for bits := range dots {
		dots[bits] = letter(uint8(bits))
	}
	return dots
}

func letter(bits uint8) string {
	// The rows from above, in the left and the right half.
	left := [4]uint8{bits & 0x01, bits & 0x02, bits & 0x04, bits & 0x40}
	right := [4]uint8{bits & 0x08, bits & 0x10, bits & 0x20, bits & 0x80}
	sum, n, leftSum, leftN, rightSum, rightN := 0, 0, 0, 0, 0, 0
	rows := 0
	for row := range 4 {
		if left[row] != 0 {
			sum, n, leftSum, leftN = sum+row, n+1, leftSum+row, leftN+1
		}
		if right[row] != 0 {
			sum, n, rightSum, rightN = sum+row, n+1, rightSum+row, rightN+1
		}
		if left[row]|right[row] != 0 {
			rows++
		}
	}
	switch {
	case n == 0:
		return " "
	case rows >= 3 && leftN > 0 && rightN > 0 && leftSum*rightN < rightSum*leftN-leftN*rightN/2:
		return "\\"
	case rows >= 3 && leftN > 0 && rightN > 0 && leftSum*rightN > rightSum*leftN+leftN*rightN/2:
		return "/"
	case rows >= 3:
		return "|"
	case sum < n: // on average in the uppermost row
		return "'"
	case sum > 2*n:
		return "."
	}
	return "-"
}
