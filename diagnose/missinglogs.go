package diagnose

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Asked are the logs of a job that somebody asked for, by place in job.Ranks.
// Why says of those that were not even tried why not.
type Asked struct {
	Places []int
	Why    map[int]string
}

// logsRead is what became of the logs of a job.
type logsRead struct {
	read []int // indices of ranks of which a log was read
	// troubledRead: of some rank in trouble a log was read to its end; of many
	// those that failed first are read.
	troubledRead bool
	missing      []Missing
}

// lostLogs are the logs of some ranks that did not come for one reason.
type lostLogs struct {
	state train.StreamState // "" where nobody tried
	text  string
	ranks []int
	// wanted: somebody asked for them. trouble: the ranks failed or were
	// started again.
	wanted, trouble bool
	// came counts the lines that came before the logs broke off, 0 for none.
	came int64
}

// logsOf sorts the ranks of a job by what became of their logs. A rank whose
// pod is gone has none; it is missed as a pod.
func (w *pass) logsOf(job *train.Job) *logsRead {
	l := &logsRead{}
	var lost []lostLogs
	logs := job.LogsOnly || w.JobLogsVersion(job.ID) != 0
	asked := w.asked[job.ID]
	for i := range job.Ranks {
		r := &job.Ranks[i]
		read, unread := false, (*store.Log)(nil)
		if logs {
			read, unread = w.rankLogRead(job, i)
		}
		if read {
			l.read = append(l.read, r.Index)
			l.troubledRead = l.troubledRead || troubled(r) && unread == nil
		}
		if read && unread == nil {
			continue
		}
		if r.Pod == "" && unread == nil || neverStarted(r) {
			continue
		}
		lost = addLost(lost, r, unread, asked, i)
	}
	for i := range lost {
		m := w.missingLogs(job, &lost[i])
		m.decisive = lost[i].decides(job, len(l.read))
		if len(lost) == 1 && len(l.read) == 0 && !m.decisive && lost[i].state == "" {
			m = w.noLogs(job) // the same words for all jobs that just run
		}
		l.missing = append(l.missing, m)
	}
	slices.Sort(l.read)
	return l
}

// rankLogRead reports whether any log of a rank was read. lacking is the newest
// that broke off, and where none was read the newest that did not come, nil
// where nobody asked.
func (w *pass) rankLogRead(job *train.Job, place int) (read bool, lacking *store.Log) {
	var broken *store.Log
	for _, log := range w.RankLogs(job, place) {
		switch {
		case rule.BrokeOff(log):
			read, broken = true, log
		case rule.WasRead(log):
			read = true
		default:
			lacking = log
		}
	}
	if read {
		return true, broken
	}
	return false, lacking
}

// neverStarted reports whether a rank can have no log yet.
func neverStarted(r *train.Rank) bool {
	switch r.State {
	case train.RankMissing, train.RankGated, train.RankPending, train.RankStarting, train.RankWaiting:
		return r.Restarts == 0
	}
	return false
}

func addLost(lost []lostLogs, r *train.Rank, unread *store.Log, asked *Asked, place int) []lostLogs {
	one := lostLogs{wanted: troubled(r) || unread != nil, trouble: troubled(r)}
	if asked != nil {
		one.wanted = one.wanted || slices.Contains(asked.Places, place)
		one.text = asked.Why[place]
	}
	if unread != nil {
		one.state, one.text, one.came = unread.Status.State, unread.Status.Text, unread.LinesRead()
	}
	for i := range lost {
		if same := &lost[i]; same.state == one.state && (same.came > 0) == (one.came > 0) && same.wanted == one.wanted && same.trouble == one.trouble && (same.text == one.text || one.state != "") {
			same.ranks, same.came = append(same.ranks, r.Index), same.came+one.came
			return lost
		}
	}
	one.ranks = []int{r.Index}
	return append(lost, one)
}

// decides reports whether nobody can say without these logs that the job is
// well: they were wanted and none came, those of ranks in trouble did not, or
// one that was tried did not, but of a container that only waits.
func (lost *lostLogs) decides(job *train.Job, read int) bool {
	return job.Phase != train.Succeeded && lost.wanted && (read == 0 || lost.trouble && lost.state != "" || lost.came == 0 && lost.refused())
}

// refused reports whether logs were tried that exist, and did not come.
func (lost *lostLogs) refused() bool {
	return lost.state != "" && lost.state != train.StreamWaiting
}

// missingLogs says which logs did not come, why, and what would help.
func (w *pass) missingLogs(job *train.Job, lost *lostLogs) Missing {
	slices.Sort(lost.ranks)
	n := len(lost.ranks)
	what := termtext.Agree(n, "the log of ", "the logs of ") + rankWords(lost.ranks)
	m := Missing{What: termtext.Agree(n, "log of ", "logs of ") + rankWords(lost.ranks)}
	because := func(did string) string {
		if lost.text == "" {
			return what + " " + did
		}
		return what + " " + did + ": " + rule.Plain(lost.text)
	}
	if lost.came > 0 {
		m.What, m.InPart = "the rest of the "+m.What, true
		what = fmt.Sprintf("only %d %s of %s", lost.came, termtext.Agree(int(lost.came), "line", "lines"), what)
		m.Why = because("came before " + termtext.Agree(n, "it", "they") + " broke off")
		m.Help = "ask again; kubectl logs POD > rank.log and --from RANK=rank.log"
		return m
	}
	switch lost.state {
	case train.StreamForbidden:
		m.Why, m.Help = because(termtext.Agree(n, "was refused", "were refused")), "get on pods/log: "+rightsHelp
	case train.StreamOpening, train.StreamWaiting:
		m.Why, m.Help = because("did not come in time"), "ask again; --request-timeout says how long to wait"
	case train.StreamGone:
		m.Why, m.Help = because(termtext.Agree(n, "is gone", "are gone")), "--from RANK=FILE reads a log that a collector kept"
	case "":
		m.Why, m.Help = w.notAsked(job, lost, what)
	default:
		m.Why, m.Help = because("could not be read"), "ask again; --from RANK=FILE reads a log that was kept elsewhere"
	}
	return m
}

// noLogs: none of a job's logs was read, and nothing depends on them.
func (w *pass) noLogs(job *train.Job) Missing {
	m := Missing{What: "logs"}
	m.Why, m.Help = w.notAsked(job, &lostLogs{ranks: []int{0, 1}}, "its logs")
	return m
}

// notAsked is about logs that nobody tried to read.
func (w *pass) notAsked(job *train.Job, lost *lostLogs, what string) (why, help string) {
	were := termtext.Agree(len(lost.ranks), " was", " were")
	switch {
	case lost.text != "":
		return what + were + " not read: " + rule.Plain(lost.text), "traintop logs prints them"
	case w.inputs.from == fromFiles:
		return what + termtext.Agree(len(lost.ranks), " is", " are") + " not among what was given", "kubectl logs POD > rank.log for each, and --from RANK=rank.log"
	}
	return what + were + " not read: nobody asked for them", "traintop diagnose JOB reads them, and the screens do of a job whose logs are open"
}
