package kinds

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A pod that was replaced is a restart also once its successor has ended: events
// as training-operator 1.9.4 writes them, of the end of both under one name.
func TestReplacedPodsCountOnceTheLastHasEnded(t *testing.T) {
	exit := func(code string, at time.Time) *corev1.Event {
		return &corev1.Event{Reason: "ExitedWithCode", Message: "Pod: ml.j-worker-0 exited with code " + code, LastTimestamp: metav1.NewTime(at)}
	}
	created := nine.Add(time.Minute)
	for name, c := range map[string]struct {
		code   int32
		events []*corev1.Event
		want   int
	}{
		"killed, then done":                     {0, []*corev1.Event{exit("137", created), exit("0", created.Add(time.Minute))}, 1},
		"killed, then done in the same second":  {0, []*corev1.Event{exit("137", created), exit("0", created)}, 1},
		"killed, then failed":                   {1, []*corev1.Event{exit("137", created.Add(-time.Second)), exit("1", created.Add(time.Minute))}, 1},
		"failed for the first time":             {1, []*corev1.Event{exit("1", created.Add(time.Minute))}, 0},
		"failed within the second of its start": {1, []*corev1.Event{exit("1", created)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := familyOf(t, `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, restartPolicy: ExitCode}}}}`)
			p := pod("worker", "0", corev1.PodSucceeded)
			p.CreationTimestamp = metav1.NewTime(created)
			p.Spec.Containers = []corev1.Container{{Name: "pytorch"}}
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pytorch", State: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{ExitCode: c.code, StartedAt: metav1.NewTime(created), FinishedAt: metav1.NewTime(created.Add(time.Minute))},
			}}}
			f.Pods, f.Events = []*corev1.Pod{p}, c.events
			if job := Assemble(f); job.Restarts != c.want || len(job.Ranks[0].Attempts) != 1+c.want {
				t.Errorf("%d restarts, want %d; the attempts are %+v", job.Restarts, c.want, job.Ranks[0].Attempts)
			}
		})
	}
}
