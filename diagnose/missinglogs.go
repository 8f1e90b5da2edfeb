package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// lostLogs are the logs of some ranks that were not read, or not completely,
// for one reason.
type lostLogs struct {
	gap   logGap
	state train.StreamState // "" where nothing was tried
	text  string
	// container is the container if it is not the training container, ""
	// otherwise.
	container string
	init      bool
	// before is true when the log is of a run before the current one.
	before bool
	ranks  []int
	// wanted is true when the logs were requested, trouble when the ranks
	// failed or were restarted.
	wanted, trouble bool
	// behind is true when the logs broke off before the moment at which they
	// were requested of a job that was named.
	behind bool
	// goesOn is true where steps follow the place at which lines are missing in a log.
	goesOn bool
	// file is true of logs in files, of which nothing more will come.
	file bool
	// came counts the lines read, 0 for none.
	came int64
}

func (w *pass) addLost(lost []lostLogs, r *train.Rank, log *store.Log, asked *Asked, rankIndex int) []lostLogs {
	one := lostLogs{gap: gapAll, wanted: troubled(r) || log != nil, trouble: troubled(r)}
	if asked != nil {
		one.wanted = one.wanted || slices.Contains(asked.RankIndices, rankIndex)
		one.text = asked.Why[rankIndex]
	}
	if log != nil {
		one.gap, one.init = w.gapOf(r, log), w.isInit(log)
		one.wanted = one.wanted && one.gap != gapOther || one.trouble
		one.container, one.before = w.otherContainer(r, log), isBeforeRestart(w.Snapshot, log)
		one.behind = one.gap == gapRest && asked != nil && !asked.NamedAt.IsZero() && !reaches(log, asked.NamedAt)
		one.file, one.goesOn = log.ID.File != "", one.gap == gapWithin && goesOn(log)
		one.state, one.text, one.came = log.Status.State, log.Status.Text, log.LinesRead()
	}
	return appendLost(lost, one, r.Index)
}

func appendLost(lost []lostLogs, one lostLogs, rank int) []lostLogs {
	for i := range lost {
		if lost[i].like(&one) {
			lost[i].ranks, lost[i].came = append(lost[i].ranks, rank), lost[i].came+one.came
			return lost
		}
	}
	one.ranks = []int{rank}
	return append(lost, one)
}

// reaches reports whether a log was read up to a moment: its newest line is
// not older.
func reaches(log *store.Log, moment time.Time) bool {
	n := log.Lines.Len()
	return n > 0 && !log.Lines.At(n-1).Time.Before(moment)
}

// like reports whether one sentence describes both.
func (lost *lostLogs) like(one *lostLogs) bool {
	return lost.gap == one.gap && lost.state == one.state && lost.container == one.container && lost.before == one.before && lost.wanted == one.wanted && lost.trouble == one.trouble && lost.behind == one.behind && lost.file == one.file && lost.goesOn == one.goesOn &&
		(lost.text == one.text || one.state != "")
}

// otherContainer names the container of a log that is not the training
// container's.
func (w *pass) otherContainer(r *train.Rank, log *store.Log) string {
	switch {
	case log.ID.Pod == "" || log.ID.Container == "" || r.Container == "" || log.ID.Container == r.Container:
		return ""
	case w.isInit(log):
		return "init container " + rule.Plain(log.ID.Container) + " of "
	}
	return "container " + rule.Plain(log.ID.Container) + " of "
}

// isBeforeRestart reports whether a log is of a run that ended before the
// current one.
func isBeforeRestart(s *store.Snapshot, log *store.Log) bool {
	pod := s.Pod(log.ID.Namespace, log.ID.Pod)
	if pod == nil {
		return false
	}
	for i := range pod.Status.ContainerStatuses {
		if status := &pod.Status.ContainerStatuses[i]; status.Name == log.ID.Container && status.State.Running != nil && int(status.RestartCount) > log.ID.Restart {
			return true
		}
	}
	return false
}

// decides reports whether the job cannot be reported as well without these
// logs: they were wanted and none was read, those of ranks in trouble were
// not, or one that was tried was not, except of a container that only waits.
// That a log is empty, or partly read, decides nothing by itself.
func (lost *lostLogs) decides(job *train.Job, read int) bool {
	return job.Phase != train.Succeeded && lost.wanted && lost.gap != gapEmpty && lost.gap != gapLines && lost.gap != gapStart && lost.gap != gapBefore &&
		(read == 0 || lost.behind || lost.file && (lost.gap == gapRest || lost.gap == gapWithin && !lost.goesOn) || lost.trouble && lost.refused() && lost.state != train.StreamGone || lost.came == 0 && lost.refused() && lost.state != train.StreamGone)
}

// refused reports whether logs were tried that exist, and were not read.
func (lost *lostLogs) refused() bool {
	return lost.state != "" && lost.state != train.StreamWaiting
}

// missingLogs returns which logs were not read, why, and what would help.
func (w *pass) missingLogs(job *train.Job, lost *lostLogs) Missing {
	slices.Sort(lost.ranks)
	n := len(lost.ranks)
	whose := lost.container + termtext.Ranks(lost.ranks)
	if lost.before {
		whose += termtext.Agree(n, " from before its restart", " from before their restarts")
	}
	what := termtext.Agree(n, "the log of ", "the logs of ") + whose
	m := Missing{What: termtext.Agree(n, "log of ", "logs of ") + whose}
	because := func(did string) string {
		if lost.text == "" {
			return what + " " + did
		}
		return what + " " + did + ": " + rule.Plain(lost.text)
	}
	if lost.gap != gapAll {
		return lost.missingPart(m, what)
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

// missingPart describes logs that were partly read.
func (lost *lostLogs) missingPart(m Missing, what string) Missing {
	n := len(lost.ranks)
	text := ""
	if lost.text != "" {
		text = ": " + rule.Plain(lost.text)
	}
	lines := fmt.Sprintf("%d %s of ", lost.came, termtext.Agree(int(lost.came), "line", "lines"))
	switch lost.gap {
	case gapEmpty:
		m.Why = what + termtext.Agree(n, " is empty", " are empty")
		m.Help = "the program printed nothing: look at kubectl describe of the pod, and where else it writes"
	case gapLines:
		m.What, m.Why, m.Help = "the lines of the "+m.What, what+termtext.Agree(n, " was", " were")+" recorded without "+termtext.Agree(n, "its", "their")+" lines", withLines
	case gapStart:
		m.What, m.Why = "the beginning of the "+m.What, "only the last "+lines+what+" were read"+text
		m.Help = "kubectl logs POD > rank.log and --from RANK=rank.log reads all of it"
	case gapWithin:
		m.What, m.InPart = "lines within the "+m.What, true
		m.Why = what + termtext.Agree(n, " is", " are") + " read, but" + strings.TrimPrefix(text, ":")
		m.Help = "what wrote or kept the log left them out: read the log where all of it is (kubectl logs POD, a collector), or raise that limit"
	case gapOther:
		m.Why = what + termtext.Agree(n, " that was given ends", " that were given end") + " before " + termtext.Agree(n, "its pod was", "their pods were") + " created: " + termtext.Agree(n, "it is", "they are") + " of an earlier run or pod of that name"
		m.Help = "kubectl logs POD > rank.log and --from RANK=rank.log reads that of this run"
	case gapLater:
		m.What, m.Why, m.Help = "the rest of the "+m.What, what+termtext.Agree(n, " was", " were")+" not recorded to the end: the recording was continued without logs", withLines
	case gapBefore:
		m.What, m.Why = m.What+" from before the restart", what+termtext.Agree(n, " was", " were")+" read only since the restart"
		m.Help = "kubectl logs --previous POD, as long as the kubelet keeps it; --from RANK=FILE reads a log that a collector kept"
	default:
		m.What, m.InPart = "the rest of the "+m.What, true
		m.Why = "only " + lines + what + " came before " + termtext.Agree(n, "it", "they") + " broke off" + text
		m.Help = "ask again; kubectl logs POD > rank.log and --from RANK=rank.log"
	}
	return m
}

// withLines is the help for what a recorder was told to leave out of logs.
const withLines = "traintop record without --logs keeps them the next time; kubectl logs POD, as long as the kubelet keeps it"

// noLogs returns the entry for a job of which no log was read, and where
// nothing depends on it.
func (w *pass) noLogs(job *train.Job) Missing {
	m := Missing{What: "logs"}
	m.Why, m.Help = w.notAsked(job, &lostLogs{ranks: []int{0, 1}}, "its logs")
	return m
}

// notAsked describes logs that no source tried to read.
func (w *pass) notAsked(job *train.Job, lost *lostLogs, what string) (why, help string) {
	were := termtext.Agree(len(lost.ranks), " was", " were")
	switch {
	case w.inputs.logsSkipped:
		return what + were + " not recorded: the recording was made without logs", withLines
	case lost.text != "":
		return what + were + " not read: " + rule.Plain(lost.text), "traintop logs prints them"
	case w.inputs.from == fromFiles:
		return what + termtext.Agree(len(lost.ranks), " is", " are") + " not among what was given", "kubectl logs POD > rank.log for each, and --from RANK=rank.log"
	}
	return what + were + " not read: nobody asked for them", "traintop diagnose JOB reads them, and the screens do of a job whose logs are open"
}
