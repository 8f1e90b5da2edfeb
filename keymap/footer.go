package keymap

// Need is how much a person needs to see the key in the footer, 0 the most:
// first what opens and explains the row, then the way to everything else.
func (b *Binding) Need() int {
	switch {
	case b.Action == ShowHelp:
		return 0
	case b.has("enter"):
		return 1
	case b.Action == OpenLogs:
		return 2
	case b.Action == OpenDiagnosis:
		return 3
	case b.Action == OpenCharts || b.Action == LogCharts:
		return 4
	case b.Action == Filter:
		return 5
	case b.Action == Command:
		return leastNeeded
	case b.Action == Uncordon: // cordon names its opposite
		return leastNeeded + 3
	case b.Scope != Table && b.Scope != Pager && b.Scope != Global:
		return leastNeeded + 1 // of one screen
	}
	return leastNeeded + 2
}

// leastNeeded is the last need of keys that a person must not miss.
const leastNeeded = 6

// Needed reports whether a person must not miss the key: where there is little
// room, breadcrumbs give way to it.
func (b *Binding) Needed() bool { return b.Need() <= leastNeeded }
