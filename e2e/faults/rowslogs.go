package faults

// logRows are faults of the kubelet that holds the log of one rank.
func logRows() []Row {
	const lost = "the log of rank 2; those of the other ranks are read"
	row := func(f Fault, says ...string) Row {
		return Row{Fault: f, At: RankLog, Commands: logReaders, Lost: lost, Says: append([]string{"hubert-xl-worker-1"}, says...), Still: []string{"loss"}}
	}
	none := func(f Fault) Row {
		return Row{Fault: f, At: Logs, Commands: []string{"curves"}, Lost: "all logs, and with them the answer", Says: []string{"hubert-xl"}, Exit: 1}
	}
	// The job failed in this rank: its objects show no cause.
	reported := func(f Fault) Row {
		return Row{
			Fault: f, At: RankLog, Commands: []string{"diagnose"}, Lost: "the cause, which stands in that log",
			Says: []string{"why is not known", "log of rank 2", "hubert-xl-worker-1"}, Still: []string{failedJob}, Exit: 3,
		}
	}
	broken := reported(Cut)
	broken.Lost = "the end of that log, with the cause"
	broken.Says = []string{"why is not known", "hubert-xl rank 2: only ", "lines of the log of rank 2 came before it broke off"}
	return []Row{
		row(HangsBefore), row(HangsAfter), row(HangsWithin), row(Drips),
		row(Unauthorized, "Unauthorized"),
		row(Forbidden, "was refused", "get on pods/log"),
		row(NotFound, "could not find the requested resource"),
		row(Throttled, "too many requests"),
		row(Failing, "the kubelet of node gpu-a100-06 gave no answer", "etcdserver: request timed out"),
		row(Unavailable, "the kubelet of node gpu-a100-06 gave no answer"),
		row(HTML, "it sent a web page and no log"),
		row(Cut, "stream error"),
		row(WrongLength, "stream error"),
		row(RedirectLoop, "redirect"),
		row(RedirectElsewhere, "which is not followed"),
		row(GzipBomb, "a line of more than 1 MiB without the time"),
		row(HugeString, "a line of more than 1 MiB without the time"),
		row(NeverEnds, "it does not end, although its end was asked for"),
		{Fault: NeverEnds, At: RankLog, Commands: []string{"diagnose"}, Lost: "whether that log goes on; the cause stands in what came", Says: []string{"hubert-xl rank 2: only ", "lines of the log of rank 2 came"}, Still: []string{"LibsndfileError"}},
		{Fault: Timeless, At: RankLog, Commands: logReaders, Lost: "the times of that log's lines", Says: []string{"lines came without the times that were asked for"}, Still: []string{"loss"}},
		row(GoneFromDisk, "says: failed to try resolving symlinks"), reported(GoneFromDisk),
		{Fault: Failing, At: Pods, Commands: []string{"logs"}, Lost: "all logs: which pods the ranks have is not known", Says: []string{"[2] its pod was not read", "etcdserver: request timed out"}, Exit: 1},
		none(HangsBefore), none(Forbidden), none(Failing),
		reported(HangsBefore), reported(GzipBomb), reported(Forbidden), reported(Failing), reported(RedirectLoop), broken,
		{Fault: Throttled, At: RankLog, After: 1, Commands: []string{"diagnose"}, Lost: "whether that log goes on; the cause stands in what came", Says: []string{"hubert-xl rank 2: only ", "lines of the log of rank 2 came before it broke off", "too many requests"}, Still: []string{"LibsndfileError"}},
		{Fault: Failing, At: RankLog, After: 1, Commands: []string{"logs -f"}, Lost: "what rank 2 prints meanwhile, until it can be read again", Says: []string{"hubert-xl-worker-1", "gave no answer"}, Still: []string{"LibsndfileError", "loss"}},
		{Fault: Unavailable, At: Logs, After: 3, Commands: []string{"logs -f"}, Lost: "what is printed meanwhile, until the server is back", Says: []string{"gave no answer", "hubert-xl-master-0"}, Still: []string{"LibsndfileError", "loss"}},
		{Fault: WrongType, At: RankLog, Commands: logReaders, Lost: "nothing: what came is read", Still: []string{"loss"}},
	}
}
