package diagnose

import (
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// missingSidecars adds the logs of containers beside the training that ended with an
// error of their own, where nothing that was read shows why they did.
func (c *concluder) missingSidecars() {
	if c.hasCause() {
		return
	}
	noted := map[string]bool{}
	for i := range c.answer.Findings {
		f := &c.answer.Findings[i]
		if f.Cause != "application-error" || f.Confidence != train.Possible || f.Severity == train.SeverityInfo {
			continue
		}
		for k := range f.Evidence {
			if container := containerOf(f.Evidence[k].Field); !noted[container] {
				noted[container] = true
				c.missingSidecar(f.Evidence[k].Rank, container)
			}
		}
	}
}

// missingSidecar adds the log of one such container, "" for none.
func (c *concluder) missingSidecar(rank int, container string) {
	for i := range c.job.Ranks {
		r := &c.job.Ranks[i]
		if r.Index != rank || container == "" || r.Container == "" || container == r.Container {
			continue
		}
		lost := lostLogs{gap: gapAll, wanted: true, trouble: true, container: "container " + rule.Plain(container) + " of ", ranks: []int{rank}}
		for _, log := range c.RankLogs(c.job, i) {
			if log.ID.Container == container && log.ID.Pod == r.Pod {
				lost.gap, lost.state, lost.text, lost.came = c.gapOf(r, log), log.Status.State, log.Status.Text, log.LinesRead()
			}
		}
		m := c.missingLogs(c.job, &lost)
		if lost.gap == gapNone {
			m.Why = "the log of " + lost.container + termtext.Ranks(lost.ranks) + " says nothing about it"
			m.Help = "see where else the program writes, and what kubectl describe says of the pod"
		}
		m.decisive = true
		c.missing = append(c.missing, m)
		return
	}
}

// containerOf returns the container that the field of a pod's status is about, "" for
// another field: status.containerStatuses[NAME].state.terminated.
func containerOf(field string) string {
	head, rest, found := strings.Cut(field, "[")
	name, _, closed := strings.Cut(rest, "]")
	if !found || !closed || !strings.HasSuffix(head, "ontainerStatuses") {
		return ""
	}
	return name
}
