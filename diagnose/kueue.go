package diagnose

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/diagnose/signatures"
	"github.com/traintop/traintop/train"
)

// kueueVerdict is what Kueue says about a job that it has not admitted.
type kueueVerdict struct {
	cause    train.Cause
	workload *unstructured.Unstructured // nil when there is none to be seen
	queue    *train.Queue
	// says is Kueue's sentence; proof is where it stands.
	says  string
	proof train.Evidence
	since time.Time
	// never is true when the whole quota would not be enough.
	never bool
	// checks is true when its quota is reserved and only admission checks are left.
	checks bool
	// repair is what mends a queue that admits nothing, nil where nothing is known.
	repair []train.Step
	// evicted is why Kueue put the job back after it had been admitted, "" when
	// it did not.
	evicted string
	// fits is how the flavors of its queue stand to what it asks for.
	fits []flavorFit
}

// kueue reads why a job waits for Kueue; nil when it does not.
func (s *jobContext) kueue() *kueueVerdict {
	q := s.job.Queue
	if q == nil || q.System != "Kueue" || q.Admitted || s.job.Phase.Terminal() || s.job.Phase == train.Running {
		return nil
	}
	v := &kueueVerdict{queue: q, since: q.Since, workload: s.newestBelow(workloadKind), cause: "kueue-not-admitted"}
	if v.workload == nil {
		return s.withoutWorkload(v)
	}
	if active, stated, _ := unstructured.NestedBool(v.workload.Object, "spec", "active"); stated && !active {
		return nil // switched off: the job is suspended
	}
	s.readWorkload(v)
	if !v.checks {
		v.fits = s.kueueFits(v)
	}
	if much := tooMuch(v.fits); much != "" && v.cause == "kueue-not-admitted" && !strings.Contains(v.says, "insufficient unused quota") {
		if !v.never {
			v.says = much
		}
		v.never = true
	}
	if broken, proof := s.brokenQueue(q); broken != "" {
		v.cause, v.says = "kueue-inadmissible", broken
		v.proof = proof
	}
	if v.cause == "kueue-inadmissible" {
		v.repair = s.repairQueue(v)
	}
	return v
}

// withoutWorkload: Kueue has made no Workload. The queue that the job names
// may not exist, which Kueue then says nowhere on the job.
func (s *jobContext) withoutWorkload(v *kueueVerdict) *kueueVerdict {
	if broken, proof := s.brokenQueue(v.queue); broken != "" {
		v.cause, v.says, v.proof = "kueue-inadmissible", broken, proof
		v.repair = s.repairQueue(v)
		return v
	}
	v.says = "Kueue has made no Workload for it yet"
	v.proof = fieldEvidence(s.job.Ref, "metadata.labels[kueue.x-k8s.io/queue-name]", v.queue.Name, s.job.Created, -1)
	return v
}

func (s *jobContext) readWorkload(v *kueueVerdict) {
	ref := refOf(workloadKind, v.workload)
	at := func(kind string, c condition) {
		v.says, v.since = cmp.Or(c.message, c.reason), laterOf(v.since, c.at)
		v.proof = statusEvidence(ref, "status.conditions["+kind+"]", c.reason+": "+c.message, c.at, -1)
	}
	reserved, tried := conditionOf(v.workload, "QuotaReserved")
	evicted, _ := conditionOf(v.workload, "Evicted")
	switch {
	case evicted.holds && evictionSteps[evicted.reason] != "":
		at("Evicted", evicted)
		v.evicted = evicted.reason
	case tried && reserved.holds:
		v.checks = true
		v.says = "its quota is reserved, and an admission check is not done"
		for _, check := range mapsIn(v.workload.Object, "status", "admissionChecks") {
			if state := textIn(check, "state"); state != "Ready" {
				v.says = fmt.Sprintf("the admission check %s is %s", textIn(check, "name"), state)
				if message := textIn(check, "message"); message != "" {
					v.says += ": " + message
				}
			}
		}
		v.proof = statusEvidence(ref, "status.admissionChecks", v.says, reserved.at, -1)
	case tried:
		at("QuotaReserved", reserved)
		v.classify(reserved.reason)
	default:
		v.says = "Kueue has not tried it yet"
		v.proof = statusEvidence(ref, "status.conditions", "none", v.since, -1)
	}
}

// evictionSteps are what to do about a job that Kueue put back, by the reason
// of the Workload's condition Evicted (Kueue 0.6 to 0.15
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

// classify: the reasons with the finer gate of newer releases tell by
// themselves (Kueue 0.15), the others by the text.
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

// brokenQueue says what is wrong with the queues behind a job, "" when nothing is.
func (s *jobContext) brokenQueue(q *train.Queue) (string, train.Evidence) {
	local := train.Ref{Group: localQueueKind.Group, Kind: localQueueKind.Kind, Namespace: s.job.Ref.Namespace, Name: q.Name}
	o, presence := s.lookUp(localQueueKind, local.Namespace, q.Name)
	if presence == train.Absent && q.Name != "" {
		return fmt.Sprintf("LocalQueue %s does not exist in namespace %s", q.Name, local.Namespace), fieldEvidence(local, "", "does not exist", time.Time{}, -1)
	}
	if u, is := o.(*unstructured.Unstructured); is {
		if policy := specText(u, "spec", "stopPolicy"); policy == "Hold" || policy == "HoldAndDrain" {
			return fmt.Sprintf("LocalQueue %s is stopped (stopPolicy %s)", q.Name, policy), fieldEvidence(local, "spec.stopPolicy", policy, time.Time{}, -1)
		}
		if c, told := conditionOf(u, "Active"); told && !c.holds && specText(u, "spec", "clusterQueue") == "" {
			return fmt.Sprintf("LocalQueue %s is not active: %s", q.Name, cmp.Or(c.message, c.reason)), statusEvidence(local, "status.conditions[Active]", c.message, c.at, -1)
		}
	}
	if q.Cluster == "" {
		return "", train.Evidence{}
	}
	cluster := train.Ref{Group: clusterQueueKind.Group, Kind: clusterQueueKind.Kind, Name: q.Cluster}
	o, presence = s.lookUp(clusterQueueKind, "", q.Cluster)
	if presence == train.Absent {
		return fmt.Sprintf("ClusterQueue %s, which LocalQueue %s leads to, does not exist", q.Cluster, q.Name), fieldEvidence(cluster, "", "does not exist", time.Time{}, -1)
	}
	if u, is := o.(*unstructured.Unstructured); is {
		if c, told := conditionOf(u, "Active"); told && !c.holds {
			return fmt.Sprintf("ClusterQueue %s is not active: %s", q.Cluster, cmp.Or(c.message, c.reason)), statusEvidence(cluster, "status.conditions[Active]", c.reason+": "+c.message, c.at, -1)
		}
	}
	return "", train.Evidence{}
}

// repairQueue says what mends the queue, by Kueue's own words: conditions of
// Workloads and reasons of the ClusterQueue's condition Active (Kueue 0.6 to
// 0.15 pkg/cache/clusterqueue.go, apis/kueue/v1beta1).
func (s *jobContext) repairQueue(v *kueueVerdict) []train.Step {
	locals := look("See the queues of the namespace.", "kubectl", "get", "localqueues.kueue.x-k8s.io", "-n", s.job.Ref.Namespace)
	switch says := v.says; {
	case strings.Contains(says, "LocalQueue") && hasAny(says, "doesn't exist", "does not exist in"):
		return []train.Step{do("Name a queue that exists (label kueue.x-k8s.io/queue-name of the job), or have LocalQueue " + v.queue.Name + " made."), locals}
	case hasAny(says, "is stopped", "stopPolicy"):
		return []train.Step{do("Ask whoever runs the queues why it is stopped: it takes jobs again with spec.stopPolicy None. Or use another queue."), locals}
	case strings.Contains(says, "ResourceFlavor"):
		return []train.Step{do("Have the flavor made, or taken out of the ClusterQueue; or use another queue."), look("See the flavors that there are.", "kubectl", "get", "resourceflavors.kueue.x-k8s.io")}
	case hasAny(says, "AdmissionCheck", "admission check"):
		return []train.Step{do("Have the admission check made or its controller started; or use another queue."), look("See the checks and their controllers.", "kubectl", "get", "admissionchecks.kueue.x-k8s.io")}
	}
	return nil
}

func (v *kueueVerdict) queueName() string {
	if v.queue.Cluster != "" {
		return v.queue.Name + " (ClusterQueue " + v.queue.Cluster + ")"
	}
	return v.queue.Name
}

func (v *kueueVerdict) evidence(*jobContext) []train.Evidence {
	return append([]train.Evidence{v.proof}, shortFits(v, v.fits)...)
}

func (v *kueueVerdict) next() []train.Step {
	var steps []train.Step
	if v.evicted != "" {
		steps = append(steps, do(evictionSteps[v.evicted]))
	} else if v.never {
		steps = append(steps, do("Ask for less than the queue's whole quota, or use a queue with more."))
	} else if v.checks {
		steps = append(steps, do("Find out what the check waits for: its controller, or a person, sets it to Ready."), look("See the checks and their controllers.", "kubectl", "get", "admissionchecks.kueue.x-k8s.io"))
	} else if v.cause == "kueue-not-admitted" {
		steps = append(steps, do("Wait for the jobs before it, or use a queue with free quota."))
	}
	if v.workload != nil {
		steps = append(steps, look("See what Kueue says.", kubectl("describe", refOf(workloadKind, v.workload))...))
	}
	if v.queue.Cluster != "" {
		steps = append(steps, look("See the quota and who uses it.", kubectl("describe", train.Ref{Group: clusterQueueKind.Group, Kind: clusterQueueKind.Kind, Name: v.queue.Cluster})...))
	}
	return steps
}

// clusterQueueUse is used and nominal quota of each flavor's resources.
func (s *jobContext) clusterQueueUse(v *kueueVerdict) []train.Evidence {
	if v.queue.Cluster == "" {
		return nil
	}
	o, _ := s.lookUp(clusterQueueKind, "", v.queue.Cluster)
	u, is := o.(*unstructured.Unstructured)
	if !is {
		return nil
	}
	used := map[string]string{}
	for _, flavor := range mapsIn(u.Object, "status", "flavorsReservation") {
		for _, r := range mapsIn(flavor, "resources") {
			used[textIn(flavor, "name")+"/"+textIn(r, "name")] = fmt.Sprint(r["total"])
		}
	}
	var parts []string
	for _, group := range mapsIn(u.Object, "spec", "resourceGroups") {
		for _, flavor := range mapsIn(group, "flavors") {
			for _, r := range mapsIn(flavor, "resources") {
				name := textIn(flavor, "name") + "/" + textIn(r, "name")
				parts = append(parts, fmt.Sprintf("%s: %s of %v reserved", name, cmp.Or(used[name], "0"), r["nominalQuota"]))
			}
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []train.Evidence{statusEvidence(refOf(clusterQueueKind, u), "status.flavorsReservation", strings.Join(parts, ", "), time.Time{}, -1)}
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
