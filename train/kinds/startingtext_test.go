package kinds

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
)

func TestAStartingPodSaysWhatHoldsItUp(t *testing.T) {
	placed := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	event := func(kind, reason, message string, after time.Duration) *corev1.Event {
		return &corev1.Event{Type: kind, Reason: reason, Message: message, LastTimestamp: metav1.NewTime(placed.Add(after))}
	}
	// Texts of kubelet 1.36 and kube-scheduler 1.36.
	mount := event("Warning", "FailedMount", `MountVolume.SetUp failed for volume "config" : configmap "roberta-config" not found`, time.Minute)
	scheduling := event("Warning", "FailedScheduling", "0/6 nodes are available", -time.Minute)
	scheduled := event("Normal", "Scheduled", "Successfully assigned nlp/roberta-master-0 to gpu-0", 0)
	earlier := event("Warning", "FailedMount", "of an earlier pod of this name", -time.Hour)
	for _, c := range []struct {
		events []*corev1.Event
		want   string
	}{
		{nil, "ContainerCreating"},
		{[]*corev1.Event{scheduling, scheduled}, "ContainerCreating"},
		{[]*corev1.Event{earlier, scheduling, scheduled}, "ContainerCreating"},
		{[]*corev1.Event{scheduled, mount}, `FailedMount: MountVolume.SetUp failed for volume "config" : configmap "roberta-config" not found`},
	} {
		if got := startingText(podState{train.RankStarting, "ContainerCreating", placed}, c.events); got != c.want {
			t.Errorf("%d events: %q, want %q", len(c.events), got, c.want)
		}
	}
}
