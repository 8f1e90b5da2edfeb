package admission

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// kueueVerdict is Kueue's status of a job that it has not admitted.
type kueueVerdict struct {
	cause    train.Cause
	workload *unstructured.Unstructured // nil when there is none
	queue    *train.Queue
	// says is Kueue's message; proof is where it comes from.
	says  string
	proof train.Evidence
	since time.Time
	// never is true when even the whole quota would not be enough.
	never bool
	// checks is true when quota is reserved and only admission checks remain.
	checks bool
	// repair are the steps to repair a queue that admits nothing, nil where
	// unknown.
	repair []train.Step
	// evicted is the reason why Kueue evicted the job after it had been
	// admitted, "" when it did not.
	evicted string
	// fits compares the flavors of its queue with what the job requests.
	fits []flavorFit
}

// kueue returns why a job waits for Kueue; nil when it does not.
func kueue(s *rule.JobContext) *kueueVerdict {
	q := s.Job.Queue
	if q == nil || q.System != "Kueue" || q.Admitted || s.Job.Phase.Terminal() || s.Job.Phase == train.Running {
		return nil
	}
	v := &kueueVerdict{queue: q, since: q.Since, workload: s.NewestBelow(rule.WorkloadKind), cause: "kueue-not-admitted"}
	if v.workload == nil {
		return withoutWorkload(s, v)
	}
	if active, stated, _ := unstructured.NestedBool(v.workload.Object, "spec", "active"); stated && !active {
		return nil // switched off: the job is suspended
	}
	readWorkload(s, v)
	if !v.checks {
		v.fits = kueueFits(s, v)
	}
	if much := tooMuch(v.fits); much != "" && v.cause == "kueue-not-admitted" && !strings.Contains(v.says, "insufficient unused quota") {
		if !v.never {
			v.says = much
		}
		v.never = true
	}
	if broken, proof := brokenQueue(s, q); broken != "" {
		v.cause, v.says = "kueue-inadmissible", broken
		v.proof = proof
	}
	if v.cause == "kueue-inadmissible" {
		v.repair = repairQueue(s, v)
	}
	return v
}

// withoutWorkload explains a job for which Kueue has created no Workload. The
// queue that the job names may not exist, which Kueue then reports nowhere on
// the job.
func withoutWorkload(s *rule.JobContext, v *kueueVerdict) *kueueVerdict {
	if broken, proof := brokenQueue(s, v.queue); broken != "" {
		v.cause, v.says, v.proof = "kueue-inadmissible", broken, proof
		v.repair = repairQueue(s, v)
		return v
	}
	if why := s.WhyUnseen(rule.WorkloadKind); why != "" {
		s.CheckUnknown(why)
		return nil
	}
	v.says = "Kueue has made no Workload for it yet"
	v.proof = rule.FieldEvidence(s.Job.Ref, "metadata.labels[kueue.x-k8s.io/queue-name]", v.queue.Name, s.Job.Created, -1)
	return v
}

func readWorkload(s *rule.JobContext, v *kueueVerdict) {
	ref := kinds.RefOf(rule.WorkloadKind, v.workload)
	at := func(kind string, c rule.Condition) {
		v.says, v.since = cmp.Or(c.Message, c.Reason), laterOf(v.since, c.At)
		v.proof = rule.StatusEvidence(ref, "status.conditions["+kind+"]", c.Reason+": "+c.Message, c.At, -1)
	}
	reserved, tried := rule.ConditionOf(v.workload, "QuotaReserved")
	evicted, _ := rule.ConditionOf(v.workload, "Evicted")
	switch {
	case evicted.Holds && evictionSteps[evicted.Reason] != "":
		at("Evicted", evicted)
		v.evicted = evicted.Reason
	case tried && reserved.Holds:
		v.checks = true
		v.says = "its quota is reserved, and an admission check is not done"
		for _, check := range rule.MapsIn(v.workload.Object, "status", "admissionChecks") {
			if state := rule.TextIn(check, "state"); state != "Ready" {
				v.says = fmt.Sprintf("the admission check %s is %s", rule.TextIn(check, "name"), state)
				if message := rule.TextIn(check, "message"); message != "" {
					v.says += ": " + message
				}
			}
		}
		v.proof = rule.StatusEvidence(ref, "status.admissionChecks", v.says, reserved.At, -1)
	case tried:
		at("QuotaReserved", reserved)
		v.classify(reserved.Reason)
	default:
		v.says = "Kueue has not tried it yet"
		v.proof = rule.StatusEvidence(ref, "status.conditions", "none", v.since, -1)
	}
}

// evictionSteps are the steps for a job that Kueue evicted, by the reason of
// the Workload's condition Evicted (Kueue 0.6 to 0.15
// apis/kueue/v1beta1/workload_types.go). Preempted is a cause of its own.
var evictionSteps = map[string]string{
	"PodsReadyTimeout":                       "Find out why not all pods were ready in time: too slow an image, nodes without room, a rank that crashed. Or have waitForPodsReady.timeout of Kueue's configuration raised.",
	"AdmissionCheck":                         "See what the admission check says; the machines that it asked for may not be there.",
	"NodeFailures":                           "Wait for Kueue to place the job on other nodes, or repair the node that failed.",
	"MaximumExecutionTimeExceeded":           "Raise the label kueue.x-k8s.io/max-exec-time-seconds of the job, or remove it.",
	"LocalQueueStopped":                      "Wait until the queue is opened again (stopPolicy None), or use another queue.",
	"ClusterQueueStopped":                    "Wait until the ClusterQueue is opened again (stopPolicy None), or use another queue.",
	"DeactivatedDueToRequeuingLimitExceeded": "Find out why the pods were not ready each time; then set spec.active of the Workload to true again.",
}

// classify sets never and checks: from the reason where the finer reasons of
// newer releases are enough (Kueue 0.15), else from the text. The sentence in WHY is
// that of kueueReason in train/kinds.
func (v *kueueVerdict) classify(reason string) {
	switch reason {
	case "Inadmissible", "Misconfigured", "NoMatchingFlavor":
		v.cause = "kueue-inadmissible"
	case "TopologyPlacementFailed":
		v.cause = "topology-mismatch"
	case "ExceedsMaxQuota":
		v.never = true
	}
	for _, match := range signatures.Find(signatures.InEvent, v.says) {
		if match.Cause == "kueue-inadmissible" || match.Cause == "topology-mismatch" {
			v.cause = match.Cause
			break
		}
	}
	v.never = v.never || strings.Contains(v.says, "insufficient quota for") || strings.Contains(v.says, "request > maximum capacity")
	if v.never {
		v.cause = "kueue-not-admitted"
	}
}

// brokenQueue returns what is wrong with the queues of a job, "" when nothing
// is.
func brokenQueue(s *rule.JobContext, q *train.Queue) (string, train.Evidence) {
	local := train.Ref{Group: rule.LocalQueueKind.Group, Kind: rule.LocalQueueKind.Kind, Namespace: s.Job.Ref.Namespace, Name: q.Name}
	o, presence := s.LookUp(rule.LocalQueueKind, local.Namespace, q.Name)
	if presence == train.Absent && q.Name != "" {
		return fmt.Sprintf("LocalQueue %s does not exist in namespace %s", q.Name, local.Namespace), rule.FieldEvidence(local, "", "does not exist", time.Time{}, -1)
	}
	if u, is := o.(*unstructured.Unstructured); is {
		if policy := rule.SpecText(u, "spec", "stopPolicy"); policy == "Hold" || policy == "HoldAndDrain" {
			return fmt.Sprintf("LocalQueue %s is stopped (stopPolicy %s)", q.Name, policy), rule.FieldEvidence(local, "spec.stopPolicy", policy, time.Time{}, -1)
		}
		if c, known := rule.ConditionOf(u, "Active"); known && !c.Holds && rule.SpecText(u, "spec", "clusterQueue") == "" {
			return fmt.Sprintf("LocalQueue %s is not active: %s", q.Name, cmp.Or(c.Message, c.Reason)), rule.StatusEvidence(local, "status.conditions[Active]", c.Message, c.At, -1)
		}
	}
	if q.ClusterQueue == "" {
		return "", train.Evidence{}
	}
	cluster := train.Ref{Group: rule.ClusterQueueKind.Group, Kind: rule.ClusterQueueKind.Kind, Name: q.ClusterQueue}
	o, presence = s.LookUp(rule.ClusterQueueKind, "", q.ClusterQueue)
	if presence == train.Absent {
		return fmt.Sprintf("ClusterQueue %s, which LocalQueue %s leads to, does not exist", q.ClusterQueue, q.Name), rule.FieldEvidence(cluster, "", "does not exist", time.Time{}, -1)
	}
	if u, is := o.(*unstructured.Unstructured); is {
		if c, known := rule.ConditionOf(u, "Active"); known && !c.Holds {
			return fmt.Sprintf("ClusterQueue %s is not active: %s", q.ClusterQueue, cmp.Or(c.Message, c.Reason)), rule.StatusEvidence(cluster, "status.conditions[Active]", c.Reason+": "+c.Message, c.At, -1)
		}
	}
	return "", train.Evidence{}
}

// repairQueue returns steps that repair the queue, by Kueue's own messages:
// conditions of Workloads and reasons of the ClusterQueue's condition Active
// (Kueue 0.6 to 0.15 pkg/cache/clusterqueue.go, apis/kueue/v1beta1).
func repairQueue(s *rule.JobContext, v *kueueVerdict) []train.Step {
	locals := rule.Look("See the queues of the namespace.", "kubectl", "get", "localqueues.kueue.x-k8s.io", "-n", s.Job.Ref.Namespace)
	switch says := v.says; {
	case strings.Contains(says, "LocalQueue") && rule.HasAny(says, "doesn't exist", "does not exist in"):
		return []train.Step{rule.Do("Name a queue that exists (label kueue.x-k8s.io/queue-name of the job), or have LocalQueue " + v.queue.Name + " made."), locals}
	case rule.HasAny(says, "is stopped", "stopPolicy"):
		return []train.Step{rule.Do("Ask whoever runs the queues why it is stopped: it takes jobs again with spec.stopPolicy None. Or use another queue."), locals}
	case strings.Contains(says, "ResourceFlavor"):
		return []train.Step{rule.Do("Have the flavor made, or taken out of the ClusterQueue; or use another queue."), rule.Look("See the flavors that there are.", "kubectl", "get", "resourceflavors.kueue.x-k8s.io")}
	case rule.HasAny(says, "AdmissionCheck", "admission check"):
		return []train.Step{rule.Do("Have the admission check made or its controller started; or use another queue."), rule.Look("See the checks and their controllers.", "kubectl", "get", "admissionchecks.kueue.x-k8s.io")}
	}
	return nil
}

func (v *kueueVerdict) queueName() string {
	if v.queue.ClusterQueue != "" {
		return v.queue.Name + " (ClusterQueue " + v.queue.ClusterQueue + ")"
	}
	return v.queue.Name
}

func (v *kueueVerdict) evidence(*rule.JobContext) []train.Evidence {
	return append([]train.Evidence{v.proof}, shortFits(v, v.fits)...)
}

func (v *kueueVerdict) next() []train.Step {
	var steps []train.Step
	if v.evicted != "" {
		steps = append(steps, rule.Do(evictionSteps[v.evicted]))
	} else if v.never {
		steps = append(steps, rule.Do("Ask for less than the queue's whole quota, or use a queue with more."))
	} else if v.checks {
		steps = append(steps, rule.Do("Find out what the check waits for: its controller, or a person, sets it to Ready."), rule.Look("See the checks and their controllers.", "kubectl", "get", "admissionchecks.kueue.x-k8s.io"))
	} else if v.cause == "kueue-not-admitted" {
		steps = append(steps, rule.Do("Wait for the jobs before it, or use a queue with free quota."))
	}
	if v.workload != nil {
		steps = append(steps, rule.Look("See what Kueue says.", rule.Kubectl("describe", kinds.RefOf(rule.WorkloadKind, v.workload))...))
	}
	if v.queue.ClusterQueue != "" {
		steps = append(steps, rule.Look("See the quota and who uses it.", rule.Kubectl("describe", train.Ref{Group: rule.ClusterQueueKind.Group, Kind: rule.ClusterQueueKind.Kind, Name: v.queue.ClusterQueue})...))
	}
	return steps
}

// clusterQueueUse returns used and nominal quota of each flavor's resources.
func clusterQueueUse(s *rule.JobContext, v *kueueVerdict) []train.Evidence {
	if v.queue.ClusterQueue == "" {
		return nil
	}
	o, _ := s.LookUp(rule.ClusterQueueKind, "", v.queue.ClusterQueue)
	u, is := o.(*unstructured.Unstructured)
	if !is {
		return nil
	}
	used := map[string]string{}
	for _, flavor := range rule.MapsIn(u.Object, "status", "flavorsReservation") {
		for _, r := range rule.MapsIn(flavor, "resources") {
			used[rule.TextIn(flavor, "name")+"/"+rule.TextIn(r, "name")] = fmt.Sprint(r["total"])
		}
	}
	var parts []string
	for _, group := range rule.MapsIn(u.Object, "spec", "resourceGroups") {
		for _, flavor := range rule.MapsIn(group, "flavors") {
			for _, r := range rule.MapsIn(flavor, "resources") {
				name := rule.TextIn(flavor, "name") + "/" + rule.TextIn(r, "name")
				parts = append(parts, fmt.Sprintf("%s: %s of %v reserved", name, cmp.Or(used[name], "0"), r["nominalQuota"]))
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []train.Evidence{rule.StatusEvidence(kinds.RefOf(rule.ClusterQueueKind, u), "status.flavorsReservation", strings.Join(parts, ", "), time.Time{}, -1)}
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
