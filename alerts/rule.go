package alerts

import (
	"path"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/train"
)

// Rule defines which troubles become incidents, and how people are notified of
// them. The first rule of a list that a trouble matches is its rule. The zero value
// of each field matches everything.
type Rule struct {
	// Name is the incident's Rule.
	Name string
	// Means is one sentence for docs and for lists of rules.
	Means string

	Causes     []train.Cause
	Severities []train.Severity
	Phases     []train.Phase
	// Namespaces and Owners are names or patterns with * and ?.
	Namespaces, Owners []string
	Labels             labels.Selector
	// OnlyShared matches troubles of an object that jobs share.
	OnlyShared bool

	// For is how long a trouble lasts before it is an incident.
	For time.Duration
	// Repeat is after how long an open incident is sent again, 0 for never.
	Repeat time.Duration
	// Quiet are the hours in which nothing is sent by this rule: it is sent
	// when they end, unless the trouble is over.
	Quiet QuietHours
	// Most is how many incidents are sent in an hour, 0 for no limit. Further ones
	// come together, in one notice.
	Most int
	// KeepResolved is true where nothing is sent when the trouble is over.
	KeepResolved bool
	// Receivers are names; none is all that the watcher was given.
	Receivers []string
	// Off is true for a rule that makes no incidents: it takes its troubles
	// away from the rules after it.
	Off bool
}

// Matches reports whether the rule is about a trouble, however long it lasts.
func (r *Rule) Matches(t *Trouble) bool {
	switch {
	case len(r.Causes) > 0 && !slices.Contains(r.Causes, t.Cause),
		len(r.Severities) > 0 && !slices.Contains(r.Severities, t.Severity),
		len(r.Phases) > 0 && !slices.Contains(r.Phases, t.Phase),
		r.OnlyShared && t.Shared == "",
		len(r.Namespaces) > 0 && !matchesAny(r.Namespaces, t.Job.Namespace),
		r.Labels != nil && !r.Labels.Matches(labels.Set(t.Labels)):
		return false
	}
	return len(r.Owners) == 0 || slices.ContainsFunc(ownersOf(t), func(owner string) bool { return matchesAny(r.Owners, owner) })
}

// ownerLabels are labels by which clusters note whose job it is: Kubernetes'
// recommended label, KubeRay's and Kubeflow's, and the words that people use.
var ownerLabels = []string{"app.kubernetes.io/created-by", "owner", "user", "username", "submitter", "created-by", "team"}

// ownersOf are the names of whom a job belongs to.
func ownersOf(t *Trouble) []string {
	owners := []string{t.Job.Owner}
	for _, label := range ownerLabels {
		owners = append(owners, t.Labels[label])
	}
	return slices.DeleteFunc(owners, func(owner string) bool { return owner == "" })
}

// matchesAny compares with names or patterns.
func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		fits, err := path.Match(pattern, name)
		return err == nil && fits
	})
}

// RuleFor returns the rule of a trouble, nil where none makes an incident of it.
func RuleFor(rules []Rule, t *Trouble) *Rule {
	at := slices.IndexFunc(rules, func(r Rule) bool { return r.Matches(t) })
	if at < 0 || rules[at].Off {
		return nil
	}
	return &rules[at]
}

// Presets are the rules that hold unless they are configured otherwise, in
// their order. A rule of the configuration with the same name replaces one.
func Presets() []Rule {
	return []Rule{
		{Name: "watcher", Means: "the watcher cannot read the cluster",
			Causes: []train.Cause{clusterUnread}, For: 5 * time.Minute, Off: true},
		{Name: "node", Means: "a node is lost, or its GPUs report errors; one notice for all jobs that it hits",
			OnlyShared: true, Causes: nodeCauses, For: 20 * time.Second, Repeat: 24 * time.Hour},
		{Name: "failed", Means: "a job failed",
			Phases: []train.Phase{train.Failed}},
		{Name: "nan", Means: "the loss is not a number any more, or the loss scale has no room left",
			Causes: []train.Cause{"nan-loss", "loss-scale-minimum"}, Repeat: 4 * time.Hour},
		{Name: "hang", Means: "a job that runs makes no steps and prints nothing",
			Causes: []train.Cause{"hang-no-output", "storage-hang", "one-rank-behind", "horovod-stall", "nccl-timeout"}, For: time.Minute, Repeat: 4 * time.Hour},
		{Name: "restarts", Means: "a job begins again and again",
			Phases: []train.Phase{train.Restarting}, For: 2 * time.Minute, Repeat: 12 * time.Hour},
		{Name: "stuck", Means: "a job cannot start, or lacks ranks",
			Severities: []train.Severity{train.SeverityError}, For: 10 * time.Minute, Repeat: 24 * time.Hour},
		{Name: "idle", Means: "GPUs are held and do nothing",
			Causes: []train.Cause{"low-gpu-utilisation", "sidecar-keeps-pod", "held-by-finalizer"}, For: time.Hour, Repeat: 24 * time.Hour},
		{Name: "queue", Means: "a job waits long in its queue",
			Phases: []train.Phase{train.Queued}, For: 12 * time.Hour, Repeat: 24 * time.Hour},
	}
}

// nodeCauses are the causes that lie with a node.
var nodeCauses = []train.Cause{
	"node-not-ready", "node-lost", "node-rejected-pod", "device-unhealthy", "device-allocation-failed", "gpu-xid-error", "gpu-fell-off-bus",
	"gpu-ecc-error", "nvlink-error", "network-hw-degraded", "evicted-disk-pressure", "evicted-memory", "evicted-pids", "host-oom", "cuda-driver-mismatch", "spot-interruption",
}

// RulesFrom are the presets, with those of the same name replaced, behind the
// rules that are new.
func RulesFrom(own []Rule) []Rule {
	presets := Presets()
	var all []Rule
	for _, rule := range own {
		if at := slices.IndexFunc(presets, func(p Rule) bool { return strings.EqualFold(p.Name, rule.Name) }); at >= 0 {
			presets[at] = rule
			continue
		}
		all = append(all, rule)
	}
	return append(all, presets...)
}
