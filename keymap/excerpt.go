package keymap

// SaveExcerpt saves a recording of one job alone.
const SaveExcerpt Action = "job.save-excerpt"

// excerpts are the keys for it, on every screen that is about a job.
func excerpts() []Binding {
	var all []Binding
	for _, scope := range []Scope{Jobs, Job, Rank, Diagnosis} {
		all = append(all, Binding{scope, keys("I"), SaveExcerpt, "excerpt", "save a recording of this job alone, from its beginning on, for a ticket", groupScreen, false})
	}
	return all
}
