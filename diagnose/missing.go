package diagnose

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// collectMissing lists what a diagnosis of the job depends on and was not
// read.
func (c *concluder) collectMissing() {
	c.missing = c.ownFirst(c.inputs.missing)
	c.missingBroken()
	c.missingEnd()
	c.missingPeers()
	c.missingRanks()
	c.missingHints()
	c.missingTraining()
	c.missingSidecars()
	c.missingBefore()
	if !c.job.LogsOnly {
		c.missingObject()
		c.missingPods()
		c.missingFailedPods()
		c.missingResult()
	}
	c.missing = append(withoutRepeated(c.missing, c.logs.missing), c.logs.missing...)
	c.missingOutput()
	c.missingProof()
	c.missingWhy()
	c.missingNewestLines()
	if !c.job.LogsOnly {
		c.missingEvents()
		c.missingKinds()
		c.missingWaitReason()
		c.missingDependency()
		c.missingNames()
		c.missingMeasurements()
	}
}

// withoutRepeated leaves out of what sources lack the entries that only repeat why a
// log was not read: a file that is one log has the same reason as that log.
func withoutRepeated(all, logs []Missing) []Missing {
	return slices.DeleteFunc(all, func(m Missing) bool {
		return slices.ContainsFunc(logs, func(log Missing) bool {
			_, reason, found := strings.Cut(log.Why, " could not be read: ")
			return found && reason != "" && strings.Contains(m.Why, ": "+reason)
		})
	})
}

// missingProof adds what would prove a guess as missing.
func (c *concluder) missingProof() {
	f := c.guess()
	if f == nil || c.hasCause() {
		return
	}
	help := "see what kubectl describe says of the pods, and the logs of all ranks"
	if len(f.Next) > 0 {
		help = f.Next[0].Text
	}
	c.miss(true, "what proves the cause", "what was read only hints at it", help)
}

// missingWhy adds the reason as missing when the logs of ranks in trouble were
// read completely, and do not contain it.
func (c *concluder) missingWhy() {
	if c.job.LogsOnly || !c.logs.troubledRead || c.logs.troubledLost || !InTrouble(c.job) || c.hasCause() || !isUnexplained(c.answer) {
		return
	}
	silent := c.ranks(func(r *train.Rank) bool { return troubled(r) && slices.Contains(c.logs.read, r.Index) })
	n := len(silent)
	c.miss(true, "the reason", termtext.Agree(n, "the log of ", "the logs of ")+termtext.Ranks(silent)+termtext.Agree(n, " says", " say")+" nothing about it",
		"see where else the program writes, and what kubectl describe says of the pod; faulthandler, an error file (torchrun's @record) or a higher log level let it say more the next time")
}

// missingNewestLines adds as missing what the ranks print now of which the log
// was not read, where the others are silent, or where all logs were opened a moment
// ago.
func (c *concluder) missingNewestLines() {
	at := slices.IndexFunc(c.answer.Findings, func(f train.Finding) bool {
		return f.Cause == "hang-no-output" && f.Severity == train.SeverityInfo
	})
	if at < 0 && c.answer.seen.trends.opensSilent() {
		c.miss(true, "the newest lines of every rank", "its logs were opened a moment ago and are silent so far, and newer lines may still be coming", "wait ten seconds; a recording that is longer than that has them")
	}
	if at < 0 || c.job.LogsOnly || c.job.Phase.Terminal() {
		return
	}
	if f := &c.answer.Findings[at]; len(f.Evidence) > 0 && f.Evidence[0].Stream.File != "" {
		c.miss(true, "the newest lines of every rank", strings.ToLower(f.Title[:1])+f.Title[1:], "copy the logs again (kubectl logs --timestamps of each rank, and the objects after them), or take a stack of each rank")
	} else {
		c.miss(true, "the newest lines of every rank", "the logs that were read are silent, and those of other ranks were not read to now", "ask again once all logs can be read, or take a stack of each rank")
	}
}

// ownFirst puts the list of the job's own kind before those of others, and its
// pods after it.
func (c *concluder) ownFirst(missing []Missing) []Missing {
	own := ""
	for _, k := range kinds.Jobs() {
		if k.Group == c.job.Ref.Group && k.Kind == c.job.Ref.Kind {
			own = "kube/" + strings.TrimSuffix(k.Resource+"."+k.Group, ".")
		}
	}
	order := func(m Missing) int {
		return slices.Index([]string{"kube/pods", own}, m.list)
	}
	missing = slices.Clone(missing)
	slices.SortStableFunc(missing, func(a, b Missing) int { return cmp.Compare(order(b), order(a)) })
	return missing
}

func (c *concluder) miss(decisive bool, what, why, help string) {
	c.missing = append(c.missing, Missing{What: what, Why: why, Help: help, decisive: decisive})
}

// missingHints adds more text as missing when the words of a text only hint at
// something, or report nothing but what the run survived. An end that is
// missing shows more.
func (c *concluder) missingHints() {
	if !c.job.LogsOnly || c.hasCause() || !c.hasHint() || c.guess() != nil {
		return
	}
	const help = "give the whole log, or what kubectl describe says of the pod"
	switch guessed := slices.ContainsFunc(c.answer.Findings, func(f train.Finding) bool { return logfindings.Guessed(&f) }); {
	case guessed:
		c.miss(true, "the rest of the text", "the text holds no wording that is known, and its words alone do not tell", help)
	case c.answer.seen.badEnd == "":
		c.miss(true, "the rest of the text", "the only trouble that it tells of did not end it or may be harmless, and no line says how it ended", help)
	}
}

func (c *concluder) missingObject() {
	if c.job.Gone {
		why := fmt.Sprintf("%s cannot be read, only what it left behind", rule.Plain(c.job.Ref.String()))
		if lost := c.inputs.hiding(c.job.Ref.Group, c.job.Ref.Kind); lost != nil && !c.Complete(schema.GroupKind{Group: c.job.Ref.Group, Kind: c.job.Ref.Kind}, c.job.Ref.Namespace) {
			c.miss(true, "the object of the job", why+": "+lost.text, lost.help())
			return
		}
		if c.kindUnread() {
			c.miss(true, "the object of the job", why+": the cluster serves no such kind", "kubectl api-resources shows what it serves; was the CRD deleted, or is discovery incomplete?")
			return
		}
		c.miss(false, "the object of the job", why, c.objectHelp(schema.GroupKind{Group: c.job.Ref.Group, Kind: c.job.Ref.Kind}))
	}
}

// kindUnread reports whether a cluster has pods of a job of a kind that we read,
// and does not serve that kind.
func (c *concluder) kindUnread() bool {
	kind := schema.GroupKind{Group: c.job.Ref.Group, Kind: c.job.Ref.Kind}
	ours := slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.GroupKind == kind })
	return ours && c.inputs.from != fromFiles && !c.Complete(kind, c.job.Ref.Namespace)
}

// objectHelp returns how to make objects of a kind readable.
func (c *concluder) objectHelp(kind schema.GroupKind) string {
	if c.inputs.from == fromFiles {
		return "give them too, with --from: kubectl get " + rule.Lower(kind.Kind) + "s -n " + rule.Quote(c.job.Ref.Namespace) + " -o yaml"
	}
	if list, unread := c.Unread(kind, c.job.Ref.Namespace); unread {
		return listHelp(&list)
	}
	return rightsHelp
}

// listHelp returns what lets a list be read that was not, by the reason.
func listHelp(list *train.Health) string {
	switch {
	case list.State == train.SourceForbidden, list.State == train.SourceLive: // live in other namespaces
		return rightsHelp
	case list.LeavesOut():
		return "see what the API server sends, and whether something between it and here changes it"
	}
	return againHelp(list.Text)
}

// againHelp returns what to do about a server that gave no answer, or an error in
// place of one.
func againHelp(text string) string {
	if unreached.MatchString(text) {
		return "see whether the network leads to it (kubectl get --raw /readyz), and ask again; --request-timeout waits longer, and :sources says when it is tried again"
	}
	return "ask again when it answers; :sources says when it is tried again"
}

// unreached are words of Go's net and net/http (1.26), and of our own deadlines,
// about an answer that did not come. A server that fails may itself speak of a
// timeout ("etcdserver: request timed out").
var unreached = regexp.MustCompile(`(?i)no (complete )?answer (from \S+ )?in |i/o timeout|handshake timeout|Client\.Timeout|deadline exceeded|connection re(fused|set)|no route|unreachable|no such host|EOF`)

// missingPods adds ranks whose pods were not read, or are gone.
func (c *concluder) missingPods() {
	if c.job.Phase == train.Succeeded || c.job.Phase == train.Suspended || c.job.Phase == train.Queued {
		return
	}
	gone := c.ranks(func(r *train.Rank) bool { return r.Pod == "" && r.DependsOn == "" })
	if len(gone) == 0 && len(c.job.Ranks) > 0 {
		return
	}
	whose := "its pods"
	if len(gone) < len(c.job.Ranks) {
		for rank := range c.job.Unlisted {
			gone = append(gone, len(c.job.Ranks)+rank)
		}
		whose = "pods of " + termtext.Ranks(gone)
	}
	switch {
	case !c.Complete(kinds.PodKind, c.job.Ref.Namespace):
		c.miss(true, "pods", whose+" were not read"+c.notListed(), c.objectHelp(kinds.PodKind))
	case c.managedElsewhere() != "":
		c.missingElsewhere(whose)
	case c.job.StatusBehind && !withoutPods(c.job):
		c.miss(true, "pods", "its status counts pods that do not exist: "+whose+" are gone", operatorHelp)
	case c.runsWithoutPods():
		c.miss(true, "pods", "its status says that it runs, and it has no pods", operatorHelp)
	case c.job.Phase != train.Pending:
		c.miss(false, "pods", whose+" are gone, and their logs with them", "nothing brings them back; traintop record and log collectors keep them of later runs, and --from RANK=FILE reads a log that was kept")
	}
}

// operatorHelp is the help for a status that does not match the pods.
const operatorHelp = "the operator may be down or behind: its log and kubectl describe of the job tell; ask again"

// notListed returns why a kind was not read.
func (c *concluder) notListed() string {
	if c.inputs.from == fromFiles {
		return ": what was given holds none of them"
	}
	return ": they could not be listed"
}

func (c *concluder) missingEvents() {
	if c.job.Phase != train.Succeeded && !c.eventsKnown(c.job.Ref.Namespace) {
		c.miss(false, "events", "its events were not read"+c.notListed(), c.objectHelp(kinds.EventKind))
	}
}

// missingKinds adds kinds that could not be read and may contain the reason
// why a job does not start.
func (c *concluder) missingKinds() {
	if !lacksRanks(c.job) || lacksOnlyDependents(c.job) {
		return
	}
	reported := map[string]bool{}
	for i := range c.answer.Checks {
		check := &c.answer.Checks[i]
		if check.Result == train.CheckUnknown && !isRunStage(check.Stage) && !reported[check.Why] && len(reported) < mostKindsMissing {
			reported[check.Why] = true
			c.miss(true, "what tells of "+string(check.Cause), check.Why, c.helpFor(check.Why))
		}
	}
}

// mostKindsMissing bounds what one job lists.
const mostKindsMissing = 5

// helpFor returns how to make a kind readable, by the reason why it was not
// read.
func (c *concluder) helpFor(why string) string {
	switch {
	case c.inputs.from != fromCluster:
		return "give these objects too, with --from"
	case strings.Contains(why, rule.NotServed):
		return "install the operator that defines them (kubectl api-resources lists what is served), or take what names them out of the job"
	case strings.Contains(why, rule.NoList):
		return againHelp(why)
	case strings.Contains(why, rule.LeftOut):
		return listHelp(&train.Health{State: train.SourceFailed, Source: train.LeftOut})
	}
	return rightsHelp
}

func (c *concluder) missingMeasurements() {
	if c.job.Phase != train.Running || c.job.GPUs == 0 {
		return
	}
	if unread := c.answer.seen.unmeasured; len(unread) > 0 {
		c.miss(false, "GPU readings", "GPUs of "+termtext.Ranks(unread)+" were not read, or fewer than the pods hold", "see whether the exporters on their nodes run and answer")
	}
	if !c.JobMeasured(c.job.ID) {
		why, help := c.answer.seen.readings.missing()
		c.miss(false, "GPU readings", why, help)
	} else if why := c.inputs.pastUnread; why != "" {
		c.miss(false, "the last hour of GPU readings", why, againHelp(why))
	}
}

// ranks returns the indices of ranks that a test accepts.
func (c *concluder) ranks(is func(*train.Rank) bool) []int {
	var found []int
	for i := range c.job.Ranks {
		if is(&c.job.Ranks[i]) {
			found = append(found, c.job.Ranks[i].Index)
		}
	}
	slices.Sort(found)
	return found
}
