package faults

// logRows are faults of the kubelet that holds the log of one rank.
func logRows() []Row {
	const lost = "the log of rank 2; those of the other ranks are read"
	row := func(f Fault, says ...string) Row {
		return Row{Fault: f, At: RankLog, Commands: logReaders, Lost: lost, Says: append([]string{"hubert-xl-worker-1"}, says...), Still: []string{"loss"}}
	}
	return []Row{
		row(Unauthorized, "Unauthorized"),
		row(Forbidden, "was refused", "get on pods/log"),
		row(NotFound, "could not find the requested resource"),
		row(Throttled, "too many requests"),
		row(Failing, "the kubelet of node gpu-a100-06 gave no answer", "etcdserver: request timed out"),
		row(Unavailable, "the kubelet of node gpu-a100-06 gave no answer"),
		row(HTML, "the kubelet of node gpu-a100-06 says: <!DOCTYPE html>"),
		row(Cut, "stream error"),
		row(WrongLength, "stream error"),
		row(RedirectLoop, "redirect"),
		{Fault: WrongType, At: RankLog, Commands: logReaders, Lost: "nothing: what came is read", Still: []string{"loss"}},
	}
}
