package kinds

// tally counts devices by resource name. Pods name one or two, so a slice is
// faster than a map.
type tally []tallied

type tallied struct {
	resource string
	n        int
}

func (t tally) total() int {
	sum := 0
	for _, entry := range t {
		sum += entry.n
	}
	return sum
}

// slices counts the MIG slices.
func (t tally) slices() int {
	sum := 0
	for _, entry := range t {
		if isSlice(entry.resource) {
			sum += entry.n
		}
	}
	return sum
}

func (t *tally) add(resource string, n int) {
	for i := range *t {
		if (*t)[i].resource == resource {
			(*t)[i].n = clamp(int64((*t)[i].n) + int64(n))
			return
		}
	}
	*t = append(*t, tallied{resource, n})
}

// raise makes each count at least that of the other.
func (t *tally) raise(other tally) {
	for _, entry := range other {
		if missing := entry.n - t.of(entry.resource); missing > 0 {
			t.add(entry.resource, missing)
		}
	}
}

func (t tally) of(resource string) int {
	for _, entry := range t {
		if entry.resource == resource {
			return entry.n
		}
	}
	return 0
}

// main returns the resource that provides most.
func (t tally) main() string {
	best := tallied{}
	for _, entry := range t {
		if entry.n > best.n {
			best = entry
		}
	}
	return best.resource
}
