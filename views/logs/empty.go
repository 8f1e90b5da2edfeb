package logs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// why explains why a pane has no line, and what to do.
func (v *drawer) why(f views.Frame, s *rankPane) []string {
	p, r := &s.pane, s.rank
	if p.log != nil && p.log.Lines.Len() > 0 {
		return v.hidden(p)
	}
	if texts := notRecorded(f, p.log); texts != nil && !notStarted(r.State) {
		return texts
	}
	if p.log != nil {
		if texts := whyNoLines(f, p.log.Status); texts != nil {
			return texts
		}
	}
	if notStarted(r.State) {
		return notStartedWhy(f, v.job, r)
	}
	if text := f.Streams.Why(v.id, s.rankIndex); text != "" {
		return []string{"not followed: " + text}
	}
	if !live(f) {
		return []string{notRead, fmt.Sprintf("give its file with --from %d=PATH, or name it after the pod", r.Index)}
	}
	if p.at < len(p.instances)-1 && p.at >= 0 {
		return []string{"asking for the log of this attempt" + f.Theme.Glyphs.Ellipsis, "the kubelet keeps one life before the newest; P goes on to newer ones"}
	}
	return []string{"asking for the log" + f.Theme.Glyphs.Ellipsis}
}

// whyMerged explains why the merged ranks have no line.
func (v *drawer) whyMerged(f views.Frame) []string {
	started := func(at int) bool { return !notStarted(v.allRanks[at].rank.State) }
	if len(v.shown) > 1 && slices.ContainsFunc(v.shown, started) {
		if texts := notRecorded(f, nil); texts != nil {
			return texts
		}
		if !live(f) && !v.anyToFollow(f) {
			return []string{"no log of these ranks was read", "give their files with --from RANK=PATH, or name them after the pods"}
		}
	}
	return v.why(f, v.focused())
}

// notRead is the word for a log that is not among the files that were read.
const notRead = "no log of this rank was read"

// briefly explains in a few words why a rank has no line; it has no age, which
// would not be drawn again.
func (v *drawer) briefly(f views.Frame, s *rankPane, log *store.Log) string {
	if texts := notRecorded(f, log); texts != nil && !notStarted(s.rank.State) {
		return texts[0]
	}
	if log != nil && log.Status.State != train.StreamRetrying {
		if texts := whyNoLines(f, log.Status); texts != nil {
			return texts[0]
		}
	}
	switch r := s.rank; {
	case r.State == train.RankMissing:
		return views.NoPodYet(v.job)
	case notStarted(r.State):
		return "not started yet"
	}
	if text := f.Streams.Why(v.id, s.rankIndex); text != "" || live(f) {
		return text
	}
	return notRead
}

// notRecorded explains that a recording has no lines of logs; nil where it has them,
// and where the log could not be read when it was recorded.
func notRecorded(f views.Frame, log *store.Log) []string {
	if log != nil && !log.WasRead() {
		return nil
	}
	for _, h := range f.Snapshot.Health() {
		if lines, _ := h.SkipsLines(); lines {
			return []string{"no line of it was recorded", h.Text}
		}
	}
	return nil
}

// hidden names what hides the existing lines.
func (v *drawer) hidden(p *pane) []string {
	count := draw.Plural(p.log.Lines.Len(), "line") + " hidden"
	switch {
	case !v.lineFilter.empty() && !v.lineFilter.of(p.log).covers(p.log):
		return []string{"filtering"}
	case !v.lineFilter.empty():
		return []string{"no line matches &" + v.lineFilter.text, count + "; esc shows them"}
	case v.since.length > 0:
		return []string{"no line in the last " + termtext.Duration(v.since.length), count + "; 0 shows them"}
	}
	return []string{"cleared", count + "; C shows them"}
}

// whyNoLines explains why a stream has no lines; nil when lines are about to come.
func whyNoLines(f views.Frame, status train.StreamStatus) []string {
	since := ""
	if age := f.Ages.Since(status.Since); age != "" {
		since = " for " + age
	}
	switch status.State {
	case train.StreamLive:
		return []string{"no output yet", "the log is followed" + since}
	case train.StreamEnded:
		return []string{"ended without a line of output"}
	case train.StreamOpening:
		return []string{"opening the log" + f.Theme.Glyphs.Ellipsis}
	case train.StreamForbidden:
		return reasonLines(status, "not allowed to read this log", "ask for the right to get pods/log")
	case train.StreamGone:
		return reasonLines(status, "gone before its log was read", "")
	case train.StreamFailed:
		return reasonLines(status, "the log cannot be read", "")
	case train.StreamRetrying:
		texts := reasonLines(status, "cut off"+since, "")
		if wait := status.Retry.Sub(f.Now()); wait > 0 {
			f.Ages.Soon(time.Second)
			texts = append(texts, "next try in "+termtext.Duration(wait))
		}
		return texts
	case train.StreamStopped:
		return reasonLines(status, "not followed now", "too many logs are wanted at once: fewer panes, or full size, bring it back")
	}
	return nil
}

// reasonLines is the source's message, or a text of our own where it has none.
func reasonLines(status train.StreamStatus, otherwise, advice string) []string {
	if status.Text != "" {
		return []string{otherwise, status.Text}
	}
	if advice != "" {
		return []string{otherwise, advice}
	}
	return []string{otherwise}
}

func notStarted(state train.RankState) bool {
	switch state {
	case train.RankMissing, train.RankGated, train.RankPending, train.RankStarting, train.RankWaiting:
		return true
	}
	return false
}

// notStartedWhy describes a rank that has not started: its state and reason, and
// the newest event of its pod.
func notStartedWhy(f views.Frame, j *train.Job, r *train.Rank) []string {
	head := "not started yet: " + string(r.State)
	if r.State == train.RankMissing {
		head = views.NoPodYet(j)
	}
	if since := f.Ages.Since(r.Since); since != "" {
		head += " for " + since
	}
	texts := []string{head}
	if r.Reason != "" {
		texts = append(texts, r.Reason)
	}
	if r.Pod == "" {
		return texts
	}
	events := f.Snapshot.EventsAbout(r.PodRef())
	if len(events) > 0 {
		e := events[len(events)-1]
		if message := strings.TrimSpace(e.Message); message != "" && message != r.Reason {
			texts = append(texts, e.Reason+": "+message)
		}
	}
	return texts
}

// live reports whether a cluster is watched, so that a log can be requested.
func live(f views.Frame) bool {
	for _, h := range f.Snapshot.Health() {
		if h.Source == "kube" || strings.HasPrefix(h.Source, "kube/") {
			return true
		}
	}
	return false
}
