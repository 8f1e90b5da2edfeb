package signals

import "github.com/traintop/traintop/train"

// rule is one row of the table: one thing that the numbers can say:
// gpu, job and node looks at one GPU with its past, at all GPUs of a running
// job, or at one node; a rule may have several.
type rule struct {
	kind string
	// word is what screens show, where the signal does not say a better one.
	word    string
	cause   train.Cause
	meaning string
	limits  []Limit

	gpu  func(*gpu) (Signal, bool)
	job  func(*job) []Signal
	node func(*node) []Signal
	// stale is true for what stays true when the numbers are old: an error
	// that was counted does not go away because nobody counts any more.
	stale bool
	// together is the sentence for several GPUs of one job; nil says that of
	// the worst one and counts the others.
	together func(*job, []Signal) string
	// hides are kinds that the rule's signal explains: of a job that has it they
	// are not told.
	hides []string
}

// noCause says that a signal speaks for no cause although its rule does.
const noCause train.Cause = "-"

// table are all rules. Of signals that are equally severe the one whose rule
// stands first is the worst.
func table() []rule {
	return []rule{
		missingRule(), xidRule(), eccRule(), remapRule(), unhealthyRule(),
		spinningRule(), slowRule(), throttledRule(), hotRule(), nvlinkRule(), rdmaRule(), pcieRule(),
		idleRule(), starvedRule(), cpuThrottledRule(), pressedRule(), networkRule(), lowRule(), unheldRule(),
		fullRule(), profilingRule(), staleRule(),
	}
}
