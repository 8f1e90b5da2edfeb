package themes

// Role is what a piece of text is. Its look is a row of palette.theme, its name
// in theme files a row of roleNames (own.go).
type Role uint8

const (
	Text    Role = iota // ordinary text
	Dim                 // regular, healthy, of no concern now
	Strong              // the subject of a line: names, counts
	Heading             // column titles
	Sorted              // title of the column that the rows are sorted by
	Chosen              // title of the column that the cursor of columns is on
	Accent              // the current place: context, active tab, prompt
	Key                 // a key in the footer and on the help screen
	Rule                // lines between parts of the screen

	Good    // running, ready
	Waiting // waits for something that will happen soon
	Queued  // waits in a queue, or was suspended by a person
	Redoing // restarting
	Done    // ended well
	Bad     // failed, broken
	Odd     // unknown

	Suggestion   // a completion that a prompt offers
	Match        // hit of a search
	Marked       // rows that carry a mark
	Notice       // a message about the last action
	NoticeFailed // a message about a failed action
	BarFull      // full part of a bar
	BarEmpty     // the rest of it

	YAMLKey
	YAMLString
	YAMLNumber

	// Names keep their colour: see Theme.NameRole.
	Name0
	Name1
	Name2
	Name3
	Name4
	Name5

	// Heat colours a cell by a share, the lowest first: see HeatRole.
	Heat0
	Heat1
	Heat2
	Heat3
	Heat4
	Heat5
	Heat6
	Heat7

	roleCount
)

const (
	nameRoles = int(Name5-Name0) + 1
	// HeatLevels is how many roles of heat there are.
	HeatLevels = int(Heat7-Heat0) + 1
)

// HeatRole is the role of a share between 0 and 1. A share outside of the range
// has that of the nearer end, NaN the lowest.
func HeatRole(share float64) Role {
	switch {
	case share >= 1:
		return Heat7
	case share > 0:
		return Heat0 + Role(share*float64(HeatLevels))
	}
	return Heat0
}
