package faults

const noPods = "what only pods tell; the jobs are listed"

// bomb is a list that unpacks to far more than is read.
func bomb(f Fault, at Place, says ...string) Row {
	return Row{Fault: f, At: at, Commands: objectReaders, Lost: at.Words + "; the others are answered", Says: says, Still: []string{failedJob}}
}

// paged is a list that does not end; the pages that arrived are used.
func paged(f Fault, at Place, says ...string) Row {
	return Row{Fault: f, At: at, Commands: objectReaders, Lost: "nothing that came; whether there is more is not known", Says: says, Still: []string{failedJob}}
}

// listRows are faults of one list: the others are answered.
func listRows() []Row {
	row := func(f Fault, says ...string) Row {
		return Row{Fault: f, At: Pods, Commands: objectReaders, Lost: noPods, Says: append([]string{"pods"}, says...), Still: []string{failedJob}}
	}
	return []Row{
		row(HangsBefore), row(HangsAfter), row(HangsWithin), row(Drips), row(Throttled),
		row(Unauthorized, "Unauthorized"),
		row(Forbidden),
		row(NotFound, "could not find the requested resource"),
		row(Failing, "etcdserver: request timed out"),
		row(Unavailable, "currently unable to handle the request"),
		row(Cut, "reading pods"),
		row(HTML, "the answer is no list: a web page came"),
		row(RedirectLoop, "redirect"),
		row(RedirectElsewhere, "which is not followed"),
		row(DeepJSON, "exceeded max depth"),
		row(GzipBomb, "an object in the answer is larger than 8 MiB"),
		row(HugeString, "an object in the answer is larger than 8 MiB"),
		bomb(GzipBomb, Jobs, "reading pytorchjobs.kubeflow.org", "the answer is larger than 64 MiB"),
		bomb(HugeString, Jobs, "reading pytorchjobs.kubeflow.org", "the answer is larger than 64 MiB"),
		bomb(GzipBomb, Nodes, "reading nodes", "an object in the answer is larger than 8 MiB"),
		bomb(GzipBomb, Events, "reading events", "an object in the answer is larger than 8 MiB"),
		paged(RepeatedToken, Pods, "reading pods: the list does not end: page 2 leads to a page that was read before", "that came in 2 pages are used"),
		paged(RepeatedToken, Jobs, "reading pytorchjobs.kubeflow.org: the list does not end: page 2 leads to a page that was read before", "that came in 2 pages are used"),
		paged(EndlessPages, Pods, "reading pods: the list is not whole: page 2 repeats", "that came in 2 pages are used"),
		paged(EndlessPages, Jobs, "reading pytorchjobs.kubeflow.org: the list is not whole: page 2 repeats", "that came in 2 pages are used"),
		{Fault: WrongType, At: Pods, Commands: objectReaders, Lost: "nothing: what came is read", Still: []string{failedJob}},
	}
}

// jobRows are faults of every list that could hold the named job: it may or may
// not exist.
func jobRows() []Row {
	row := func(f Fault, exit int, commands ...string) Row {
		return Row{Fault: f, At: JobTraces, Commands: commands, Lost: "the job, and whether there is one", Says: []string{`whether there is a job`, "hubert-xl", "pytorchjobs.kubeflow.org"}, Exit: exit}
	}
	var rows []Row
	for _, f := range []Fault{HangsBefore, Forbidden, Failing, Cut, HTML} {
		rows = append(rows, row(f, 3, "diagnose"), row(f, 3, logReaders...))
	}
	return rows
}
