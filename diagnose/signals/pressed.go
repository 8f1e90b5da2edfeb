package signals

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var (
	pressedStall = Limit{
		Name: "pressedStall", Preset: 10, Least: 1, Most: 100, Unit: "% of the time",
		Meaning: "time in which some task of a node or container waited for memory (PSI)",
		Source:  "found by feel: from a tenth on it shows in a step's time; systemd-oomd ends what waits for more than 60 % of it",
	}
	pressedSwap = Limit{
		Name: "pressedSwap", Preset: 500, Least: 1, Most: 1e9, Unit: "pages a second",
		Meaning: "what a node swaps in and out",
		Source:  "node-mixin of node_exporter 1.9: NodeMemoryMajorPagesFaults above 500 a second for 15 minutes",
	}
	pressedLimit = Limit{
		Name: "pressedLimit", Preset: 97, Least: 50, Most: 100, Unit: "% of the limit",
		Meaning: "working set of a container that is about to be killed",
		Source:  "found by feel: what can be reclaimed without reading it again is not counted in a working set (cAdvisor)",
	}
	pressedFor = Limit{
		Name: "pressedFor", Preset: 5, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long", Source: "found by feel: longer than the peak of a checkpoint",
	}
)

// Too little memory slows everything down before anything is killed: tasks
// wait for pages that were swapped or dropped.
func pressedRule() rule {
	return rule{
		kind: "pressed", word: "memory short", cause: "swap-or-memory-pressure",
		meaning: "a node or a rank's container is short of memory: it swaps, waits for memory, or is at its limit; or the node is short of disk or of process IDs",
		limits:  []Limit{pressedStall, pressedSwap, pressedLimit, pressedFor},
		job:     pressed,
	}
}

func pressed(j *job) []Signal {
	var found []Signal
	if why, ranks := j.pressedContainers(); len(ranks) > 0 {
		if since, enough := j.lasts("pressed containers", time.Time{}, j.limits.minutes(&pressedFor)); enough {
			found = append(found, pressedSignal(j, termtext.Ranks(ranks)+": "+why, "", since, ranks))
		}
	}
	nodes := j.machines()
	for i := range nodes {
		if s, is := j.pressedNode(&nodes[i]); is {
			found = append(found, s)
		}
	}
	return found
}

func pressedSignal(j *job, text, node string, since time.Time, ranks []int) Signal {
	return Signal{Severity: train.SeverityWarning, Rank: -1, Node: node, Ranks: ranks, Since: since, Text: text + lasting(j.now, since)}
}

// pressedNode trusts the kubelet's own conditions at once; measurements have
// to last.
func (j *job) pressedNode(m *machine) (Signal, bool) {
	if m.of != nil && m.of.Trouble != "" {
		for _, c := range nodePressures {
			if strings.Contains(m.of.Trouble, c.condition) {
				since, _ := j.lasts(c.condition+" "+m.name, time.Time{}, 0)
				s := pressedSignal(j, fmt.Sprintf("%s: %s (%s)", m.name, c.words, c.condition), m.name, since, j.ranksOn(m.name))
				s.Cause = c.cause
				return s, true
			}
		}
	}
	if m.usage == nil {
		return Signal{}, false
	}
	why := j.shortOfMemory(&m.usage.Values)
	if why == "" {
		return Signal{}, false
	}
	since, enough := j.lasts("pressed "+m.name, time.Time{}, j.limits.minutes(&pressedFor))
	return pressedSignal(j, m.name+": "+why, m.name, since, j.ranksOn(m.name)), enough
}

// nodePressures are the conditions that a kubelet sets before it evicts
// (kubelet/eviction, 1.4 to 1.36).
var nodePressures = []struct {
	condition, words string
	cause            train.Cause
}{
	{"MemoryPressure", "the node is short of memory, and its kubelet may evict pods", "swap-or-memory-pressure"},
	{"DiskPressure", "the node is short of disk, and its kubelet may evict pods", "evicted-disk-pressure"},
	{"PIDPressure", "the node is short of process IDs, and its kubelet may evict pods", "evicted-pids"},
}

// shortOfMemory returns how memory is short according to measurements, "" when
// it is not.
func (j *job) shortOfMemory(v *train.UsageValues) string {
	if stall, known := v.Get(train.UsedMemoryStall); known && 100*stall >= j.limits.of(&pressedStall) {
		return fmt.Sprintf("tasks wait for memory in %s of the time", percent(min(1, stall)))
	}
	if pages, known := v.Get(train.UsedSwap); known && pages >= j.limits.of(&pressedSwap) {
		return fmt.Sprintf("%s pages a second are swapped", whole(pages))
	}
	used, known := v.Get(train.UsedMemory)
	most, limited := v.Get(train.UsedMemoryLimit)
	if known && limited && most > 0 && 100*used/most >= j.limits.of(&pressedLimit) {
		return fmt.Sprintf("%s of its memory limit of %.0f GiB are used", percent(used/most), most/(1<<30))
	}
	return ""
}

// pressedContainers returns the ranks with a container that is short of
// memory, and the reason of the first.
func (j *job) pressedContainers() (why string, ranks []int) {
	for _, c := range j.containers() {
		if len(ranks) > 0 && ranks[len(ranks)-1] == c.rank {
			continue
		}
		if said := j.shortOfMemory(&c.usage.Values); said != "" {
			why, ranks = cmp.Or(why, said), append(ranks, c.rank)
		}
	}
	return why, ranks
}

// ranksOn returns the ranks of the job on a node, ascending.
func (j *job) ranksOn(node string) []int {
	var ranks []int
	for i := range j.Ranks {
		if j.Ranks[i].Node == node {
			ranks = append(ranks, j.Ranks[i].Index)
		}
	}
	return ranks
}
