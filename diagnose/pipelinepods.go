package diagnose

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// podStages are the stages that a rank's pod goes through, with the text for
// ranks that passed one.
var podStages = [...]struct {
	stage train.Stage
	// many and one are the texts for ranks that passed, not for one that has
	// not.
	many, one, not string
}{
	{train.StageAdmission, "have a pod", "has a pod", "has no pod yet"},
	{train.StageSchedule, "have a node", "has a node", "has no node yet"},
	{train.StageVolumes, "have their volumes", "has its volumes", "waits for its volumes"},
	{train.StageImage, "have their image", "has its image", "waits for its image"},
	{train.StageStart, "have started", "has started", "has not started yet"},
}

// started is how many of podStages a started rank has passed.
const started = len(podStages)

// pods sets the stages that the ranks' pods show.
func (w *way) pods() {
	var passed [started]int
	known := 0
	for i := range w.job.Ranks {
		r := &w.job.Ranks[i]
		if r.Pod != "" {
			known++
		}
		for stage := range passedBy(w.snapshot, r) {
			passed[stage]++
		}
	}
	for i := range podStages {
		w.share(i, passed[i])
	}
	w.admission(known)
}

// share sets how many ranks have passed a stage.
func (w *way) share(at, n int) {
	s := &podStages[at]
	stage := s.stage
	wanted, least := w.wanted()
	all, some := fmt.Sprintf("all %d ranks %s", wanted, s.many), fmt.Sprintf("%d of %d ranks %s", n, wanted, s.many)
	if wanted == 1 {
		all, some = "the one rank "+s.one, "the one rank "+s.not
	}
	switch {
	case w.job.Phase == train.Succeeded:
		w.set(stage, StagePassed, "the job is done")
	case n >= wanted:
		w.set(stage, StagePassed, all)
	case n >= least:
		w.set(stage, StagePassed, fmt.Sprintf("%s, and %d are enough", some, least))
	case w.job.Phase == train.Failed && n == 0:
		w.set(stage, StageUnknown, "no pod is left that would tell")
	case w.job.Phase == train.Failed:
		w.set(stage, StagePassed, some)
	default:
		w.set(stage, StageWaiting, some)
	}
}

// wanted returns how many ranks there should be, and with how many an elastic
// job runs.
func (w *way) wanted() (all, least int) {
	all = max(w.job.Wanted, 1)
	least = all
	if e := w.job.Elastic; e != nil && e.Min > 0 {
		least = min(all, e.Min)
	}
	return all, least
}

// admission sets the stage from the queue, where there is one.
func (w *way) admission(pods int) {
	job := w.job
	switch q := job.Queue; {
	case job.Phase == train.Suspended:
		w.set(train.StageAdmission, StageWaiting, "the job is suspended")
	case job.Phase == train.Queued && q != nil && q.Place > 0:
		w.set(train.StageAdmission, StageWaiting, fmt.Sprintf("place %d in queue %s", q.Place, q.Name))
	case job.Phase == train.Queued && q != nil && q.Name != "":
		w.set(train.StageAdmission, StageWaiting, "waits in queue "+q.Name)
	case job.Phase == train.Queued:
		w.set(train.StageAdmission, StageWaiting, "waits in a queue")
	case pods > 0 && q != nil && q.Admitted && w.at(train.StageAdmission).State == StagePassed:
		w.at(train.StageAdmission).Text += ", admitted by queue " + q.Name
	}
}

// passedBy returns how many of podStages a rank has passed.
func passedBy(s *store.Snapshot, r *train.Rank) int {
	switch r.State {
	case train.RankRunning, train.RankCrashing, train.RankSucceeded, train.RankLost:
		return started
	case train.RankMissing:
		return 0 // even if an earlier pod ran: it waits to be created again
	}
	if r.Pod != "" {
		if pod := s.Pod(r.Namespace, r.Pod); pod != nil {
			return passedByPod(s, pod)
		}
	}
	switch {
	case r.State == train.RankFailed || r.State == train.RankTerminating && len(r.Attempts) > 0:
		return started
	case r.Node == "":
		return 1
	}
	return 2
}

// passedByPod reads the pod itself or, where that is not enough, the kubelet's
// events about it.
func passedByPod(s *store.Snapshot, pod *corev1.Pod) int {
	const hasNode, hasVolumes, hasImage = 2, 3, 4
	if pod.Spec.NodeName == "" {
		return 1
	}
	passed := hasNode
	if mounted(pod) {
		passed = hasVolumes
	}
	for i := range pod.Status.InitContainerStatuses {
		if c := &pod.Status.InitContainerStatuses[i]; ran(c) || waitsForImage(c) {
			passed = hasVolumes // an image is pulled when volumes are mounted
		}
	}
	for i := range pod.Status.ContainerStatuses {
		switch c := &pod.Status.ContainerStatuses[i]; {
		case ran(c):
			return started
		case waitsToStart(c):
			passed = max(passed, hasImage)
		case waitsForImage(c):
			passed = max(passed, hasVolumes)
		}
	}
	if passed < hasImage {
		passed = max(passed, passedByEvents(s.EventsAbout(kinds.PodRef(pod))))
	}
	return passed
}

// mounted reports whether a pod has its volumes: the kubelet reports it since
// 1.29 (PodReadyToStartContainers comes after the mounts); before, a pod
// without a claim has little to wait for.
func mounted(pod *corev1.Pod) bool {
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodReadyToStartContainers {
			return c.Status == corev1.ConditionTrue
		}
	}
	return !slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool {
		return v.PersistentVolumeClaim != nil || v.Ephemeral != nil || v.CSI != nil || v.NFS != nil || v.ConfigMap != nil || v.Secret != nil || v.HostPath != nil
	})
}

func ran(c *corev1.ContainerStatus) bool {
	return c.State.Running != nil || c.State.Terminated != nil || c.LastTerminationState.Terminated != nil
}

// waitsForImage and waitsToStart match the kubelet's reasons (1.36,
// pkg/kubelet/images and pkg/kubelet/kuberuntime).
func waitsForImage(c *corev1.ContainerStatus) bool {
	if c.State.Waiting == nil {
		return false
	}
	switch c.State.Waiting.Reason {
	case "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "ImageInspectError", "RegistryUnavailable", "SignatureValidationFailed":
		return true
	}
	return false
}

func waitsToStart(c *corev1.ContainerStatus) bool {
	if c.State.Waiting == nil {
		return false
	}
	switch c.State.Waiting.Reason {
	case "CreateContainerConfigError", "PreCreateHookError", "CreateContainerError", "PreStartHookError", "PostStartHookError",
		"RunContainerError", "StartError", "ContainerCannotRun", "CrashLoopBackOff":
		return true
	}
	return false
}

// passedByEvents reads the newest events about a pod: an image is pulled when
// volumes are mounted.
func passedByEvents(events []*corev1.Event) int {
	for _, e := range slices.Backward(events) {
		switch e.Reason {
		case "FailedMount", "FailedAttachVolume":
			return 2
		case "Pulling", "BackOff", "Failed", "InspectFailed", "ErrImageNeverPull":
			return 3
		case "Pulled", "Created":
			return 4
		}
	}
	return 0
}
