package diagnose

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// speaksOfAnEnd matches texts with which programs, launchers and kubectl end a
// log after a failure. They decide on a last line alone: in the middle of a
// log they are common and mean little. Each line is one source of texts.
var speaksOfAnEnd = regexp.MustCompile(strings.Join([]string{
	// programs
	`(?i)\b(fatal|panic|panicked|critical|abort(ed|ing)|terminated|killed|giving up|shutting down|halted|out of memory|outofmemoryerror)\b`,
	`\bexit(ed)?( with)?( non-?zero)?( exit)?( code| status)?:? ?[1-9][0-9]{0,2}\b|\bstatus code [1-9]|core dumped`,
	`^(\S+ ){0,4}(?-i:\[?ERR(OR)?\]?[: ])|^(error|failed):|unexpected eof`,
	`^(died at|keyboardinterrupt|systemexit)\b|^(错误|エラー|ошибка)`,
	`^\s*(?-i:([\w.$]+\.)?[A-Z]\w*(Error|Exception|Interrupt))(:|$)|^(caused by|exception in thread)\b|run with .?rust_backtrace|^\s*(at|@) \S.*:[0-9]+\)?$`,
	`\b(uncaught|unhandled) (exception|error)\b|\bexited (abnormally|unexpectedly|prematurely|due to)\b|^\^C$`,
	`\bexceed(ed|s) (its|the|their) (\w+ ){0,2}(limit|quota)s?\b`,
	`sanitizer: reported \d+|^\S+:\d+: runtime error: |execution halted|: (severe|fortran runtime error)\b`,
	`\b(not recoverable|unrecoverable|exiting now)\b|\bkilling (the )?(subprocess|process|child|worker)(es|ren|s)?\b`,
	`\b(diverged|diverging|divergence|exploded)\b.*\b(stopping|aborting|exiting|terminating)\b`,
	`(?-i:\b[A-Z]\w*(Error|Exception)): [^0-9\s.+-]|^(?-i:Stop(Async)?Iteration|FAIL(ED|URE)?|ABORTED|KILLED|CRASHED)\W*$|^(failed to|unable to|could not|couldn't|cannot|can't) \w`,
	`^\[rank\d+\]:\[(?-i:F)[0-9]{0,4} [0-9]{2}:|^(?-i:[EF])[0-9]{0,4} [0-9]{2}:[0-9]{2}:[0-9]{2}|\buncorrectable\b|\b(lost|lose) (the )?connection\b|\bconnection (was )?lost\b`,
	`(退出码|退出代码|終了コード)\W*[1-9]|异常(退出|终止|中断)|^(fehler|erreur|fout|errore|falha|hata)\b`,
	// lines that were cut behind their beginning
	`^traceback( \(|$)|\[(error|fatal|critical)\W*$|^error from server\b`,
	// shells and tools: what the system returned
	`: (command not found|(cannot|could not|failed to|unable to) \S|not found$)|failed to create (a )?(symbolic|hard) link`,
	`\b(broken pipe|connection (reset|refused|timed out|aborted)( by (peer|remote host))?|transport endpoint is not connected|socket is not connected|not a directory|is a directory|directory not empty|bad file descriptor|invalid argument|remote i/o error|protocol error|operation timed out|software caused connection abort|no buffer space available|interrupted system call|structure needs cleaning|value too large for defined data type|no data available|no space left on device|disk quota exceeded|no such file or directory|permission denied|operation not permitted|file exists|read-only file system|stale file handle|input/output error|bus error|segmentation fault|illegal instruction|floating point exception|too many open files|cannot allocate memory|address already in use|network is unreachable|no route to host|illegal seek|text file busy|resource temporarily unavailable|device or resource busy|argument list too long|exec format error|no such device( or address)?|host is down|too many levels of symbolic links|file name too long|certificate (has )?expired|not yet valid)\W*$`,
	`: (unbound variable|parameter (null or )?not set)\W*$|\bunexpected end of file\b|\bx509: |^[a-z][\w.-]* error: [^0-9\s]`,
	`\b(cannot|can't|could not|couldn't|unable to|failed to) (connect|reach|resolve|contact|fork|launch|authenticate)\b`,
	`^(hangup|quit|alarm clock|bad system call|trace/breakpoint trap|user defined signal [12]|(cpu time|file size) limit exceeded)( \(core dumped\))?$`,
	`^make(\[[0-9]+\])?: \*\*\*|^(Traceback|srun|slurmstepd|mpirun|mpiexec|prterun|torchrun|accelerate|deepspeed): ?error`,
	// launchers and schedulers
	`\bcancelled (at|by|due)\b|due to (time limit|preemption|node failure)|oom[_-]kill|oomkilled|\b(was|were|been|being|got|is) preempted\b|\bpreempted\W*$|\bpreemption notice\b|spot (instance )?(interruption|termination)|\bevicted\b`,
	`\b(received|caught|got|by|with|on) (the )?(signal )?(sig(term|kill|int|abrt|segv|bus|hup|quit|usr1|xcpu)\b|signal:? ?\(?[0-9])|\bsignal:? [0-9]+\b|signaled to stop|\bsigterm received\b|\b(sigkill|sigterm)\)?\W*$`,
	`\b(workers?|raylet|actor|child|process|rank|node|container|job|pod|run) \S* ?(has |have |was |were |is )?(unexpectedly )?(died|dead|crashed|stopped|lost|failed|cancelled|canceled|killed|timed out)\b( unexpectedly)?( due to\b.*)?\W*$`,
	`\b(was|were|been|being|got|is) requeued\b|\b(soft|hard) lockup\b|\bkernel panic\b|\bblocked for more than [0-9]+ seconds\b`,
	// the kernel, of the node's memory, processors, disks and links
	`\bmachine check exception\b|\bhardware memory corruption\b|\bedac \S+ [1-9][0-9]* ue\b|\bdetected (expedited )?stalls? on cpus?\b|\bdisk failure on \S|\blink (status |is )?(definitely )?down\b`,
	`deadline exceeded|time limit (reached|exceeded)|walltime|heartbeat (timeout|timed out|lost)`,
	// kubectl, the API server and the kubelet
	`rpc error|goaway|unable to retrieve container logs|i/o timeout|error dialing backend|tls handshake timeout|context canceled|unexpectedly closed|http2: `,
}, "|"))

// missingEnd adds what ended the log as missing when its last line reports an
// end in a text that no rule knows: such a job is not reported as well.
func (c *concluder) missingEnd() {
	if line := c.answer.seen.badEnd; line != "" && !c.hasCause() {
		c.miss(true, "what ended the log", "it ends with an error or another end, in words that no rule knows: "+line,
			"give the logs of the other ranks and of the launcher, and what kubectl describe says of the pod")
	}
}

// badEndOf returns the last line of the first log that is a file whose last line
// reports an end, "" for none. Of a job with pods it counts for ranks that run:
// how others ended is known from their pods, and a log that is read live goes on.
func badEndOf(s *store.Snapshot, job *train.Job) string {
	if _, log, at := badEndAt(s, job); log != nil {
		return withoutData(log.Lines.Plain(at))
	}
	return ""
}

// unknownEnd returns the finding that remains for a text in which no rule finds anything: the line
// with which it ends, where that names an error or reports how the program ended.
func unknownEnd(s *rule.JobContext) []train.Finding {
	if !s.Job.LogsOnly {
		return nil
	}
	rank, log, at := badEndAt(s.Snapshot, s.Job)
	if log == nil {
		return nil
	}
	if text := log.Lines.Plain(at); !logfindings.EndedBadly(text) && (logfindings.IsBearable(text) || !namesAnError.MatchString(text)) {
		return nil
	}
	return []train.Finding{logfindings.Ended(s.Job, rank, log, at)}
}

// badEndAt returns the line of badEndOf, and the rank whose log has it; nil for none.
func badEndAt(s *store.Snapshot, job *train.Job) (rank int, in *store.Log, line int) {
	if !job.LogsOnly && s.JobLogsVersion(job.ID) == 0 {
		return -1, nil, -1
	}
	repeated := logfindings.Repeated(s, job)
	for i := range job.Ranks {
		if !job.LogsOnly && job.Ranks[i].State != train.RankRunning {
			continue
		}
		for _, log := range s.RankLogs(job, i) {
			if log.ID.File == "" || log.BrokeOff() || repeated[log.ID] || !job.LogsOnly && (log != s.RankLog(job, i) || isOver(s, log) || ofAnother(&job.Ranks[i], log)) {
				continue
			}
			line := endOfLog(log)
			if endsBadly(withoutCounts(log, line)) || !endsInSample(log) && (levelOfError.MatchString(line) || logfindings.EndedBadly(line)) || namesException(log, line) {
				return rankOfText(job, i), log, lastLineOf(log)
			}
			if at := errorNearEnd(log); at >= 0 {
				return rankOfText(job, i), log, at
			}
		}
	}
	return -1, nil, -1
}

// rankOfText returns the rank of a log, -1 for a text that names none.
func rankOfText(job *train.Job, i int) int {
	if job.Ranks[i].Assumed && len(job.Ranks) == 1 {
		return -1
	}
	return job.Ranks[i].Index
}

// ofAnother reports whether a log is of a container beside the one that trains, of a pod
// before the one that has the rank now, or of the instance before.
func ofAnother(r *train.Rank, log *store.Log) bool {
	return r.Container != "" && log.ID.Container != "" && log.ID.Container != r.Container ||
		log.ID.Pod != "" && r.Pod != "" && log.ID.Pod != r.Pod || log.ID.Previous()
}

// isOver reports whether a log is of a run, a pod or a container instance before the
// one that is there now.
func isOver(s *store.Snapshot, log *store.Log) bool {
	return logfindings.OfEarlierRun(s, log) || logfindings.OfEarlierPod(s, log) || isBeforeRestart(s, log)
}

// opensAnError matches how programs and tools begin an error of several lines:
// its last line may contain nothing but a frame.
var opensAnError = regexp.MustCompile(`(?i)^(cmake )?error( at | using |: )|^unhandled exception\b|^# a fatal error has been detected|^\S+:\d+:in .*\([\w:]+\)$|^\w+: \S+\.lua:\d+: |^(?-i:[A-Z]\w*(Error|Exception|NotFound)): |^(?-i:[EF]\d{4}) \d\d:\d\d:\d\d\.\d+ `)

// nearEnd is how many lines an error may have.
const nearEnd = 12

// errorNearEnd returns the index of a line that opens an error, among the last of a log and
// after its last sample; -1 for none.
func errorNearEnd(log *store.Log) int {
	progress := int64(-1)
	if rows := log.Samples.Rows; len(rows) > 0 {
		progress = rows[len(rows)-1].Line
	}
	last := lastLineOf(log)
	for i := last; i >= max(0, last-nearEnd) && log.Lines.At(i).Number > progress; i-- {
		if text := withoutData(log.Lines.Plain(i)); opensAnError.MatchString(messageOf(text)) {
			return i
		}
	}
	return -1
}

// namesAnError matches words of an error, where a last line may report an
// intended end.
var namesAnError = regexp.MustCompile(`(?i)error|exception|\b(fatal|fail(ed|ure)?|panic\w*|critical|cannot|can't|could not|unable|invalid|denied|not (found|permitted|supported|available)|no such|refused|missing|unsupported|mismatch|exceeded|timed out|unreachable|no space left)\b`)

// lastWords returns the last line of the log of a failed container instance,
// if it names an error in a text that no rule knows.
func lastWords(s *rule.JobContext, f *rule.Failure) (e train.Evidence, says bool) {
	log := s.LogOf(f)
	if log == nil {
		return e, false
	}
	at := lastLineOf(log)
	if at < 0 {
		return e, false
	}
	text := withoutData(log.Lines.Plain(at))
	if !endsBadly(text) || !namesAnError.MatchString(text) {
		return e, false
	}
	line := log.Lines.At(at)
	return train.Evidence{
		Kind: train.EvidenceLog, Object: kinds.PodRef(f.Pod.Pod), Text: text, Time: line.Time, Rank: f.Rank.Index, Stream: log.ID, Line: line.Number,
	}, true
}

// messageField matches the message of a log line that is an object of JSON, as
// loggers and collectors write it.
var messageField = regexp.MustCompile(`"(?:message|msg|event|text|log)"\s*:\s*"((?:[^"\\]|\\.)*)"`)

// messageOf returns the message in a line of JSON, any other line as it is.
func messageOf(line string) string {
	if !strings.HasPrefix(line, "{") || !strings.HasSuffix(strings.TrimSpace(line), "}") {
		return line
	}
	if m := messageField.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return line
}

// endOfLog returns the last line of a log that is not blank.
func endOfLog(log *store.Log) string {
	if at := lastLineOf(log); at >= 0 {
		return withoutData(log.Lines.Plain(at))
	}
	return ""
}

// counted matches a name and its number, as lines of steps have them.
var counted = regexp.MustCompile(`[\w./-]+["']?(?:\s*[:=]\s*|\s)[-+]?[0-9][\w.%]*`)

// withoutCounts returns a log's last line without names that have a number, if it is
// that of its newest sample: it counts what was killed or evicted elsewhere.
func withoutCounts(log *store.Log, line string) string {
	if !endsInSample(log) {
		return line
	}
	return counted.ReplaceAllString(line, "")
}

// endsInSample reports whether a log's last line is that of its newest sample.
func endsInSample(log *store.Log) bool {
	rows, at := log.Samples.Rows, lastLineOf(log)
	return at >= 0 && len(rows) > 0 && rows[len(rows)-1].Line == log.Lines.At(at).Number
}

// levelOfError matches the level of an error where loggers write it: between dashes or bars,
// in brackets behind a name, as a member of a record and in logfmt.
var levelOfError = regexp.MustCompile(`^.{0,100}?(?: [-|] |\]\[|\] \[| \[)(?:ERROR|CRITICAL|FATAL)(?: [-|:] |\])|"(?:level|levelname|severity|lvl)"\s*:\s*"(?i:error|critical|fatal|panic|emergency|alert)"|(?:^|\s)(?:level|lvl|severity)="?(?i:error|critical|fatal|panic)\b`)

// withoutData returns a line of a log, safe to show, without fields of a JSON record that
// are data.
func withoutData(line string) string {
	return rule.Plain(string(signatures.WithoutData([]byte(line))))
}

// lastLineOf returns the index of the last line of a log that is not blank and not of
// an exception that Python ignored, -1 where it is not among its last eight, or before
// such exceptions.
func lastLineOf(log *store.Log) int {
	last := log.Lines.Len()
	for i := last - 1; i >= max(0, last-8); i-- {
		if text := rule.Plain(log.Lines.Plain(i)); text != "" && text != " " {
			before := beforeIgnored(log, i)
			if before == i {
				return i
			}
			i, last = before+1, before+1
		}
	}
	return -1
}

// ignoredLines is how many lines an exception may have that Python ignored.
const ignoredLines = 40

// beforeIgnored returns the index before an exception that ends at a line, and that
// Python could not raise, as in a destructor while it ends ("Exception ignored in",
// CPython's PyErr_WriteUnraisable). For another line it returns the line's.
func beforeIgnored(log *store.Log, at int) int {
	for i := at; i >= max(0, at-ignoredLines); i-- {
		switch text := log.Lines.Plain(i); {
		case strings.HasPrefix(text, "Exception ignored "):
			return i - 1
		case i < at && text != "" && text[0] != ' ' && !strings.HasPrefix(text, "Traceback "):
			return at
		}
	}
	return at
}
