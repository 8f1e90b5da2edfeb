package faults

const everything = "everything: there is no answer"

// wireRows are faults below HTTP.
func wireRows() []Row {
	return []Row{
		{Fault: Refused, At: Everything, Commands: readers, Lost: everything, Says: []string{"connection refused"}, Exit: 1},
		{Fault: Reset, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "reset by peer"}, Exit: 1},
		{Fault: Mute, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "in 5s"}, Exit: 1},
		{Fault: Expired, At: Everything, Commands: readers, Lost: everything, Says: []string{"certificate has expired"}, Exit: 1},
		{Fault: Stranger, At: Everything, Commands: readers, Lost: everything, Says: []string{"signed by unknown authority"}, Exit: 1},
	}
}

// clusterRows are faults of the API server as a whole.
func clusterRows() []Row {
	return []Row{
		{Fault: HangsBefore, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "in 5s"}, Exit: 1},
		{Fault: Slow, At: Everything, Commands: []string{"jobs", "diagnose -A", "gpus", "curves"}, Lost: "nothing: it is waited for", Still: []string{failedJob}},
		{Fault: Slow, At: Everything, Commands: []string{"logs"}, Lost: "nothing: it is waited for", Still: []string{"LibsndfileError"}},
		{Fault: VerySlow, At: Everything, Commands: []string{"jobs"}, Lost: "what takes several answers one after the other: jobs as their operators see them; their pods tell of them", Says: []string{"no complete answer", "--request-timeout waits longer"}, Still: []string{failedJob}},
		{Fault: HangsAfter, At: Everything, Commands: readers, Lost: everything, Says: []string{"https://127.0.0.1"}, Exit: 1},
		{Fault: Cut, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1"}, Exit: 1},
		{Fault: Drips, At: Everything, Commands: readers, Lost: everything, Says: []string{"https://127.0.0.1"}, Exit: 1},
		{Fault: Unauthorized, At: Everything, Commands: readers, Lost: everything, Says: []string{"does not accept the credentials of this context", "log in again"}, Exit: 1},
		{Fault: NotFound, At: Everything, Commands: readers, Lost: everything, Says: []string{"is no Kubernetes API server", "/version and /api/v1/pods it answered 404"}, Exit: 1},
		{Fault: Failing, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1"}, Exit: 1},
		{Fault: Unavailable, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "currently unable to handle the request"}, Exit: 1},
		{Fault: RedirectElsewhere, At: Everything, Commands: readers, Lost: everything + ", and no credentials go there", Says: []string{"https://127.0.0.2:9/login, which is not followed"}, Exit: 1},
		{Fault: HTML, At: Everything, Commands: readers, Lost: everything, Says: []string{"answers with a web page where the Kubernetes API should be", "log in there"}, Exit: 1},
		{Fault: RedirectLoop, At: Everything, Commands: readers, Lost: everything, Says: []string{"no answer from https://127.0.0.1", "redirect"}, Exit: 1},
	}
}

// discoveryRows are faults of the discovery of kinds.
func discoveryRows() []Row {
	row := func(f Fault, says ...string) Row {
		return Row{
			Fault: f, At: Discovery, Commands: []string{"jobs", "diagnose", "curves"}, Lost: "jobs as their operators see them; their pods tell of them",
			Says: append([]string{"which kinds it serves"}, says...), Still: []string{failedJob},
		}
	}
	return []Row{
		row(HangsBefore), row(HangsAfter), row(HangsWithin), row(Drips),
		row(Unauthorized), row(Forbidden), row(NotFound), row(Throttled), row(Failing), row(Unavailable, "currently unable to handle the request"),
		row(HTML, "reading what /apis answers: a web page came"), row(RedirectLoop), row(RedirectElsewhere, "which is not followed"), row(Cut), row(GzipBomb, "the answer is larger than 64 MiB"), row(HugeString, "the answer is larger than 64 MiB"), row(DeepJSON, "exceeded max depth"),
	}
}

// recordRows are the messages of a recorder while nothing arrives.
func recordRows() []Row {
	row := func(f Fault, at Place, exit int, lost string, says ...string) Row {
		return Row{Fault: f, At: at, Commands: []string{"record"}, Lost: lost, Says: says, Exit: exit}
	}
	const nothing = "everything: the recording holds only that nothing could be read"
	return []Row{
		row(Refused, Everything, 1, nothing, "connection refused"),
		row(Expired, Everything, 1, nothing, "certificate has expired"),
		row(HangsBefore, Everything, 1, nothing, "https://127.0.0.1"),
		row(Unauthorized, Everything, 1, nothing, "does not accept the credentials"),
		row(Forbidden, Pods, 0, "pods and what they tell", "pods"),
		row(Failing, RankLog, 0, "the log of rank 2", "log of speech/PyTorchJob/hubert-xl rank 2", "the kubelet of node gpu-a100-06 gave no answer", "at the end 1 log could not be read"),
		row(Failing, Pods, 0, "pods and what they tell", "kube/pods", "etcdserver: request timed out"),
	}
}
