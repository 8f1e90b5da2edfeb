package changes

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// replacement is what a pod's controllers do when the pod is deleted.
type replacement struct {
	lines []string
	// noReplacement is the reason why no pod replaces it, "" if one does.
	noReplacement string
	// ends is true if its deletion makes the whole job fail; peersDescribed if the lines
	// already describe what the other ranks do.
	ends, peersDescribed bool
}

func (r *replacement) say(format string, values ...any) {
	r.lines = append(r.lines, safe(fmt.Sprintf(format, values...)))
}

// replacement decides by the pod's controller, and by that controller's owner.
func (p *planner) replacement(pod *corev1.Pod) replacement {
	var r replacement
	job := p.JobOf(kinds.PodKind, pod.Namespace, pod.Name)
	controller := metav1.GetControllerOf(pod)
	if job != nil && job.Phase.Terminal() {
		r.noReplacement = fmt.Sprintf("%s is over (%s) and makes no new pods", named(job.Ref), job.Phase)
		r.say("%s", r.noReplacement)
		return r
	}
	if controller == nil {
		r.noReplacement = "no controller made it: nothing makes it again"
		r.say("%s", r.noReplacement)
		return r
	}
	owner := train.Ref{
		Group: schema.FromAPIVersionAndKind(controller.APIVersion, controller.Kind).Group,
		Kind:  controller.Kind, Namespace: pod.Namespace, Name: controller.Name, UID: string(controller.UID),
	}
	o := p.object(owner)
	if o == nil {
		r.say("%s makes it anew; how that counts is not known, since it cannot be read", named(owner))
		return r
	}
	switch {
	case job != nil && job.Ref.Kind == "LeaderWorkerSet":
		p.inLeaderWorkerSet(&r, pod, job)
	case owner.Group == "batch" && owner.Kind == "Job":
		p.inBatchJob(&r, pod, owner, o.Object)
	case owner.Group == "kubeflow.org":
		p.inKubeflow(&r, pod, owner, o.Object)
	case owner.Group == "batch.volcano.sh":
		inVolcano(&r, pod, owner, o.Object)
	case owner.Group == "ray.io":
		inRay(&r, pod, owner)
	default:
		r.say("%s makes it anew", named(owner))
	}
	if job != nil && r.noReplacement == "" && !r.ends && !r.peersDescribed {
		peers(&r, job, pod)
	}
	return r
}

// inBatchJob: the Job controller counts a deleted pod as failed at once, unless it waits
// for the pod's end (kubernetes 1.36, pkg/controller/job, isPodFailed).
func (p *planner) inBatchJob(r *replacement, pod *corev1.Pod, owner train.Ref, job map[string]any) {
	if ended(pod) {
		r.noReplacement = "it has ended: the Job has counted it already and makes no other one for it"
		r.say("%s", r.noReplacement)
		return
	}
	if flag(job, "spec", "suspend") {
		r.say("the Job is suspended and makes no pod before it is resumed")
		return
	}
	index := pod.Annotations["batch.kubernetes.io/job-completion-index"]
	which := "pod"
	if index != "" {
		which = "pod of index " + index
	}
	failed, limit, scope := number(job, 0, "status", "failed"), number(job, 6, "spec", "backoffLimit"), named(owner)
	if field(job, "spec", "backoffLimitPerIndex") != nil {
		failed, _ = strconv.Atoi(pod.Annotations["batch.kubernetes.io/job-index-failure-count"])
		limit, scope = number(job, 0, "spec", "backoffLimitPerIndex"), "index "+index
	}
	if text(job, "spec", "podReplacementPolicy") == "Failed" {
		r.say("%s makes a new %s once this one has ended; it counts as a failure unless it ends with exit code 0", named(owner), which)
		return
	}
	if len(table(job, "spec", "podFailurePolicy")) > 0 {
		r.say("its podFailurePolicy may count the end otherwise")
	}
	if failed < limit {
		r.say("%s makes a new %s at once; it counts as failure %d, of which %s may have %d", named(owner), which, failed+1, scope, limit)
		return
	}
	r.say("it counts as failure %d, and %s may have %d: the Job fails", failed+1, scope, limit)
	p.jobFails(r, owner, job)
}

// jobFails adds the effect of a failed child Job on its JobSet.
func (p *planner) jobFails(r *replacement, owner train.Ref, child map[string]any) {
	top := p.JobOf(kindOf(owner), owner.Namespace, owner.Name)
	role := text(child, "metadata", "labels", "jobset.sigs.k8s.io/replicatedjob-name")
	name := text(child, "metadata", "labels", "jobset.sigs.k8s.io/jobset-name")
	if name == "" || top == nil {
		r.ends = true
		p.warn("%s fails when the pod is deleted", named(owner))
		return
	}
	set := train.Ref{Group: "jobset.x-k8s.io", Kind: "JobSet", Namespace: owner.Namespace, Name: name}
	o := p.object(set)
	if o == nil {
		r.say("what %s does then cannot be read", named(set))
		return
	}
	p.inJobSet(r, top, set, o.Object, role)
}

// inJobSet applies the failure policy: the first rule that matches, else a restart of
// everything, as often as maxRestarts allows (JobSet v0.10,
// pkg/controllers/failure_policy.go).
func (p *planner) inJobSet(r *replacement, top *train.Job, set train.Ref, o map[string]any, role string) {
	r.peersDescribed = true
	restarts, most := number(o, 0, "status", "restartsCountTowardsMax"), number(o, 0, "spec", "failurePolicy", "maxRestarts")
	switch action := failureAction(o, role); {
	case action == "FailJobSet", field(o, "spec", "failurePolicy") == nil:
		r.ends = true
		r.say("%s fails then", named(top.Ref))
		p.warn("%s fails when the pod is deleted", named(top.Ref))
	case action == "RestartJob", action == "RestartJobAndIgnoreMaxRestarts":
		r.peersDescribed = false
		r.say("%s makes that Job anew, and leaves the others", named(set))
	case action == "RestartJobSetAndIgnoreMaxRestarts":
		r.say("%s restarts as a whole: all %s are made anew", named(set), termtext.Count(top.Wanted, "pod"))
	case restarts < most:
		r.say("%s restarts as a whole (restart %d of at most %d): all %s are made anew", named(set), restarts+1, most, termtext.Count(top.Wanted, "pod"))
	default:
		r.ends = true
		r.say("%s has had its %s and fails", named(set), termtext.Count(most, "restart"))
		p.warn("%s fails when the pod is deleted", named(top.Ref))
	}
	p.losesSteps(top)
}

func failureAction(set map[string]any, role string) string {
	for _, rule := range items(set, "spec", "failurePolicy", "rules") {
		if has(rule, "onJobFailureReasons", "BackoffLimitExceeded") && has(rule, "targetReplicatedJobs", role) {
			return text(rule, "action")
		}
	}
	return "RestartJobSet"
}

// inKubeflow: the operator creates a missing replica again with its name. One that is
// being deleted counts as failed, which ends a job with restart policy Never
// (training-operator v1.9, pkg/core/status.go and each kind's UpdateJobStatus).
func (p *planner) inKubeflow(r *replacement, pod *corev1.Pod, owner train.Ref, job map[string]any) {
	role, policy := replicaSpec(pod, job)
	if flag(job, "spec", "runPolicy", "suspend") {
		r.say("%s is suspended and makes no pod before it is resumed", named(owner))
		return
	}
	if owner.Kind == "MPIJob" {
		r.peersDescribed = true
		r.say("the operator makes %s anew; the launcher loses its daemon there, so mpirun ends and is tried again as often as runPolicy.backoffLimit allows (%d)",
			pod.Name, number(job, 6, "spec", "runPolicy", "backoffLimit"))
		return
	}
	if policy == "Never" && !ended(pod) {
		r.ends = true
		r.say("the restart policy of %s is Never: the operator counts the pod as failed, and %s fails", role, named(owner))
		p.warn("%s fails when the pod is deleted (restart policy Never)", named(owner))
		return
	}
	r.say("the operator makes %s anew under the same name (restart policy %s)", pod.Name, policy)
	if field(job, "spec", "elasticPolicy") != nil {
		r.peersDescribed = true
		r.say("torchrun is elastic: the others meet anew without it, and again when it is back, at most %d times", number(job, 0, "spec", "elasticPolicy", "maxRestarts"))
	}
}

// replicaSpec returns the role of a pod as its job spells it, and that role's restart
// policy; the defaults differ by kind.
func replicaSpec(pod *corev1.Pod, job map[string]any) (role, policy string) {
	role, policy = pod.Labels["training.kubeflow.org/replica-type"], "Never"
	if kind := text(job, "kind"); kind == "PyTorchJob" || kind == "PaddleJob" {
		policy = "OnFailure"
	}
	spec := table(job, "spec")
	for name := range spec {
		if !strings.HasSuffix(name, "ReplicaSpecs") {
			continue
		}
		for replica := range table(spec, name) {
			if !strings.EqualFold(replica, role) {
				continue
			}
			if stated := text(spec, name, replica, "restartPolicy"); stated != "" {
				policy = stated
			}
			return replica, policy
		}
	}
	return role, policy
}

// inVolcano finds the policy that a deleted pod triggers, the task's own first (volcano
// v1.10, pkg/controllers/job, event PodEvicted).
func inVolcano(r *replacement, pod *corev1.Pod, owner train.Ref, job map[string]any) {
	task := pod.Labels["volcano.sh/task-spec"]
	if task == "" {
		task = pod.Annotations["volcano.sh/task-spec"]
	}
	action := ""
	for _, spec := range items(job, "spec", "tasks") {
		if text(spec, "name") == task {
			action = evictedAction(items(spec, "policies"))
		}
	}
	if action == "" {
		action = evictedAction(items(job, "spec", "policies"))
	}
	switch action {
	case "RestartJob":
		r.peersDescribed = true
		r.say("its policy restarts the whole %s: all pods are made anew", named(owner))
	case "RestartTask", "RestartPod", "":
		r.say("Volcano makes the pod anew, and it waits for room")
	default:
		r.ends = true
		r.say("its policy for a pod that goes is %s: the whole %s ends", action, named(owner))
	}
}

func evictedAction(policies []map[string]any) string {
	for _, policy := range policies {
		events, _ := policy["events"].([]any)
		for _, event := range append(events, policy["event"]) {
			if event == "PodEvicted" || event == "*" {
				return text(policy, "action")
			}
		}
	}
	return ""
}

func inRay(r *replacement, pod *corev1.Pod, owner train.Ref) {
	if pod.Labels["ray.io/node-type"] == "head" {
		r.say("KubeRay makes the head anew; without fault tolerance of its GCS the cluster forgets everything, and what runs on it fails")
		return
	}
	r.say("%s makes a new worker; tasks and actors that ran on this one are lost, and Ray retries them as they ask for", named(owner))
}

// inLeaderWorkerSet: by default the deletion of one pod deletes its whole group (lws
// v0.6, spec.leaderWorkerTemplate.restartPolicy).
func (p *planner) inLeaderWorkerSet(r *replacement, pod *corev1.Pod, job *train.Job) {
	policy, size := "", 0
	if o := p.object(job.Ref); o != nil {
		policy = text(o.Object, "spec", "leaderWorkerTemplate", "restartPolicy")
		size = number(o.Object, 1, "spec", "leaderWorkerTemplate", "size")
	}
	if policy == "None" {
		r.say("its StatefulSet makes the pod anew, alone (restart policy None)")
		return
	}
	r.say("its whole group %s is made anew: %s", pod.Labels["leaderworkerset.sigs.k8s.io/group-index"], termtext.Count(size, "pod"))
}

// peers describes what the other ranks do meanwhile.
func peers(r *replacement, job *train.Job, pod *corev1.Pod) {
	others := -1
	for i := range job.Ranks {
		if job.Ranks[i].State == train.RankRunning {
			others++
		}
	}
	if rank := rankOf(job, pod); rank == nil || rank.State != train.RankRunning {
		others++
	}
	switch {
	case others == 1:
		r.say("the other rank loses it: it waits in its next collective or fails, and goes on from the last checkpoint")
	case others > 1:
		r.say("%d other ranks lose it: they wait in their next collective or fail, and go on from the last checkpoint", others)
	}
}
