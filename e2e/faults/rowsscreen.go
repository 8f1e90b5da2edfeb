package faults

// screenRows are what a person sees in the header and in place of the jobs.
func screenRows() []Row {
	row := func(f Fault, at Place, lost string, says ...string) Row {
		return Row{Fault: f, At: at, Commands: []string{screen}, Lost: lost, Says: says}
	}
	still := func(r Row) Row {
		r.Still = []string{failedJob, "wav2vec2-ctc"}
		return r
	}
	later := func(r Row) Row {
		r.After = 1
		return still(r)
	}
	const frozen = "what changes meanwhile; what was read stays"
	another := Row{
		Fault: Another, At: Everything, After: 1, Commands: []string{screen}, Lost: "what the first cluster had, which leaves the screen",
		Says: []string{"another cluster, or an older state of it, answers", otherJob}, Still: []string{failedJob},
	}
	return []Row{
		another,
		row(Refused, Everything, everything, "kube retrying", "connection refused"),
		row(Expired, Everything, everything, "kube retrying", "certificate has expired"),
		row(HangsBefore, Everything, everything, "kube retrying", "no answer from https://127.0.0.1"),
		row(Unauthorized, Everything, everything, "kube retrying", "does not accept the credentials"),
		row(Unavailable, Everything, everything, "kube retrying", "currently unable to handle the request"),
		still(row(Failing, Pods, noPods, "kube live, 1 failing")),
		still(row(HangsBefore, Pods, noPods, "kube live, 1 failing")),
		still(row(Failing, Exporter, "what the exporter measures", "exporters retrying")),
		later(row(Unavailable, Everything, frozen, "kube retrying")),
		later(row(HangsBefore, Everything, frozen, "kube retrying")),
		later(row(Unauthorized, Everything, frozen, "kube retrying")),
	}
}
