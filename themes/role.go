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

	roleCount
)

const nameRoles = int(Name5-Name0) + 1
