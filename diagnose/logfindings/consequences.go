package logfindings

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// putSignalsFirst lets a rank's signal to end explain the connections that
// broke after it. A signal that follows a broken connection is a launcher's
// answer to it, and stays behind.
func putSignalsFirst(all []candidate) {
	for i := range all {
		signal := &all[i]
		if signal.hit.Signature != "death-signal" || signal.healed {
			continue
		}
		first := true
		for k := range all {
			c := &all[k]
			first = first && (!isCollective(c.cause) || c.healed || comesBefore(signal, c) || lostThat(signal, c, all))
		}
		if first {
			signal.weight = weightSignalFirst
		}
	}
}

// nameHangups gives the exception that a launcher raises for signal 1 the cause of the
// lines before it, where they report that the launcher passed SIGHUP on: the exception's
// own row distinguishes signals only by their numbers.
func nameHangups(all []candidate) {
	if !slices.ContainsFunc(all, func(c candidate) bool { return c.cause == "sighup-received" }) {
		return
	}
	for i := range all {
		if all[i].cause == "sigterm-received" && hangup.MatchString(all[i].hit.Text) {
			all[i].cause = "sighup-received"
		}
	}
}

// lostThat reports whether the rank of c lost its connection to the rank that
// was signalled, where no clock shows which came first: a line of another rank
// names that rank's pod, or all others wait for it, and no other was signalled.
func lostThat(signal, c *candidate, all []candidate) bool {
	if comesBefore(c, signal) {
		return false
	}
	pod, named := podOfLog(signal.log), false
	for i := range all {
		d := &all[i]
		switch {
		case d.rank != signal.rank && d.hit.Signature == signal.hit.Signature:
			return false
		case !isCollective(d.cause):
		case d.rank == signal.rank:
			named = named || d.log != signal.log // silentPeer: the lines of the others show it
		default:
			named = named || pod != "" && containsName(d.hit.Text, pod)
		}
	}
	return named
}

// podOfLog returns the pod of a log, by its stream or by the name of its file.
func podOfLog(log *store.Log) string {
	if log == nil {
		return ""
	}
	if log.ID.Pod != "" {
		return log.ID.Pod
	}
	name := filepath.Base(log.ID.File)
	name, _, _ = strings.Cut(name, ".")
	if !strings.Contains(name, "-") {
		return "" // a word such as train or rank1, no pod
	}
	return name
}

// containsName reports whether a text contains a name as a whole.
func containsName(text, name string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !isNameByte(text[at-1])) && (end == len(text) || !isNameByte(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isNameByte(c byte) bool {
	return c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}

// weightSignalFirst is above that of any consequence of another rank's end.
const weightSignalFirst = weightCollective + 10

// comesBefore reports whether a is known to be earlier than b.
func comesBefore(a, b *candidate) bool {
	if a.log == b.log {
		return a.hit.Line < b.hit.Line
	}
	return !a.at.IsZero() && !b.at.IsZero() && a.at.Before(b.at)
}

// ofPeers matches errors with which a rank reports that a peer is gone or
// does not take part.
var ofPeers = regexp.MustCompile(`(?i)connection (?:was )?(?:closed|reset|aborted)|(?:closed|reset) by peer|broken ?pipe|\bEOFError\b|\bConnection(?:Reset|Aborted)Error\b|remote process exited|barrier timed out|unhandled system error|\bhccl[a-z]|\ball-?(?:reduce|gather)|\breduce-?scatter`)

// ofCommunication matches words of exceptions that may follow from a peer's
// end.
var ofCommunication = regexp.MustCompile(`(?i)nccl|rccl|hccl|gloo|connect|socket|\bpeer|\bpipe\b|distributed|collective|time-?out|timed out|deadline|\bstore\b`)

// ofAnyKind matches exceptions that programs raise about anything, also about
// the end of another rank.
var ofAnyKind = regexp.MustCompile(`^(?:\w+\.)*(?:RuntimeError|Exception|SystemError|InternalError)\b`)

// yields are causes that a peer's end may produce as well.
var yields = map[train.Cause]bool{
	"python-exception": true, "gloo-connect-failure": true, "rendezvous-timeout": true, "nccl-init-failure": true,
	"nccl-connection-lost": true, "gloo-connection-lost": true,
}

// afterPeer is how much later a peer's exception may be printed than the error
// of a rank that lost it.
const afterPeer = 5 * time.Second

// yieldToExceptions turns the errors of ranks that lost a peer into symptoms,
// where a peer has an exception of its own.
func yieldToExceptions(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.healed || c.symptom || c.rank < 0 || !yields[c.cause] || !speaksOfPeers(c) || !peerRaised(all, c) {
			continue
		}
		c.symptom = true
		if c.cause == "python-exception" {
			c.cause = "nccl-connection-lost"
		}
	}
}

// speaksOfPeers reports whether an error is one about other ranks: a rendezvous that timed
// out always is, since somebody did not come.
func speaksOfPeers(c *candidate) bool {
	return c.cause == "rendezvous-timeout" || ofPeers.MatchString(c.hit.Text)
}

// peerRaised reports whether another rank has an exception that explains c. A rank that
// ended in any way of its own did not come to a rendezvous that timed out long after, or
// at a time that is not known.
func peerRaised(all []candidate, c *candidate) bool {
	for i := range all {
		d := &all[i]
		if d.rank < 0 || d.rank == c.rank {
			continue
		}
		timed := !c.at.IsZero() && !d.at.IsZero()
		late, early := timed && d.at.Sub(c.at) > afterPeer, timed && c.at.Sub(d.at) >= longBefore
		didNotCome := c.cause == "rendezvous-timeout" && (early || !timed) && endedItself(d)
		if !late && (raisedItself(d, early) || didNotCome) {
			return true
		}
	}
	return false
}

// longBefore is from when an exception came so early that it cannot follow from what
// another rank reports.
const longBefore = 30 * time.Second

// raisedItself reports whether a candidate is an exception of its own program. One that
// came early may be of any kind.
func raisedItself(d *candidate, early bool) bool {
	text := d.hit.Text
	return d.cause == "python-exception" && !d.healed && d.tier() == tierGeneral && !ofPeers.MatchString(text) && !ofCommunication.MatchString(text) && (early || !ofAnyKind.MatchString(text))
}

// endedItself reports whether a candidate is an error of a known cause that has nothing to
// do with other ranks.
func endedItself(d *candidate) bool {
	return d.tier() == tierOwn && !d.healed && !d.doubtful && !yields[d.cause] && !isCollective(d.cause) && d.cause != "master-addr-unresolvable" && !ofPeers.MatchString(d.hit.Text)
}

// demoteAfterLoss lowers what a rank reports after it has lost another, where another rank
// had failed by itself before: the first error is that of the peer that was lost.
func demoteAfterLoss(all []candidate) {
	for i := range all {
		c := &all[i]
		if c.symptom || c.healed || c.rank < 0 || c.at.IsZero() {
			continue
		}
		lost := slices.IndexFunc(all, func(l candidate) bool {
			return l.log == c.log && l.rank == c.rank && l.hit.Line < c.hit.Line && (l.cause == "nccl-connection-lost" || l.cause == "gloo-connection-lost")
		})
		if lost >= 0 && slices.ContainsFunc(all, func(d candidate) bool { return failedBefore(&d, &all[lost]) }) {
			c.weight, c.symptom = weightAnswer, true
		}
	}
}

// failedBefore reports whether another rank failed by itself before one lost it.
func failedBefore(d, lost *candidate) bool {
	own := d.tier() <= tierGeneral || d.cause == "sigterm-received"
	return own && !d.healed && d.rank >= 0 && d.rank != lost.rank && d.log != lost.log && !d.at.IsZero() && lost.at.Sub(d.at) >= time.Second && d.hit.Signature != silentLog
}
