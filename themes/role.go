package themes

// Role is what a piece of text is.
type Role uint8

const (
	Text    Role = iota // ordinary text
	Dim                 // regular, healthy, of no concern now
	Strong              // what a line is about: names, counts
	Heading             // column titles
	Sorted              // title of the column that the rows are sorted by
	Chosen              // title of the column that the cursor of columns is on
	Accent              // where one is: context, active tab, prompt
	Key                 // a key in the footer and on the help screen
	Rule                // lines between parts of the screen

	Good    // running, ready
	Waiting // waits for something that is on its way
	Queued  // waits in a queue, or was suspended by a person
	Redoing // restarting
	Done    // ended well
	Bad     // failed, broken
	Odd     // unknown

	Suggestion   // what a prompt offers to complete
	Match        // hit of a search
	Marked       // rows that carry a mark
	Notice       // what just happened
	NoticeFailed // what just failed
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

// HeatRole is the role of a share between 0 and 1. What lies beyond, or is no
// number, has that of the nearer end.
func HeatRole(share float64) Role {
	switch {
	case share >= 1:
		return Heat7
	case share > 0:
		return Heat0 + Role(share*float64(HeatLevels))
	}
	return Heat0
}
