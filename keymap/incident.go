package keymap

// SaveIncident saves a recording of one job alone.
const SaveIncident Action = "job.save-incident"

// incidents are the keys for it, on every screen that is about a job.
func incidents() []Binding {
	var all []Binding
	for _, scope := range []Scope{Jobs, Job, Rank, Diagnosis} {
		all = append(all, Binding{scope, keys("I"), SaveIncident, "incident", "save a recording of this job alone, from its beginning on, for a ticket", groupScreen, false})
	}
	return all
}
