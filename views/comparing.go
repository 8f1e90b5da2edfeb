package views

import "github.com/traintop/traintop/train"

// Comparing is a screen about several runs that can be put side by side.
type Comparing interface {
	// Compared are the runs, one alone where there is nothing to compare with.
	Compared() []train.JobID
}

// Compare opens runs side by side. Where there are fewer than two, what to do is
// shown, after what the screen has to report.
func Compare(jobs []train.JobID, todo string) Effect {
	if len(jobs) < 2 {
		return Notice{Text: "two runs are needed to compare: " + todo + ":compare NAME NAME names them"}
	}
	return OpenScreen{Route: CompareRoute{Jobs: jobs}}
}
