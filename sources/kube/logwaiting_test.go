package kube

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/train"
)

// A kubelet that names no reason leaves no colon behind (kubernetes
// pkg/kubelet/kubelet_pods.go, validateContainerLogStatus).
func TestAContainerThatWaitsWithoutAReason(t *testing.T) {
	for said, want := range map[string]string{
		`container "main" in pod "sft-0" is waiting to start: ContainerCreating`: "the container has not started yet: ContainerCreating",
		`container "main" in pod "sft-0" is waiting to start: `:                  "the container has not started yet",
	} {
		got := whyRefused(train.StreamID{Namespace: "llm", Pod: "sft-0", Container: "main"}, "gpu-0", apierrors.NewBadRequest(said))
		if got.text != want || got.state != train.StreamWaiting {
			t.Errorf("%s: %q", said, got.text)
		}
	}
}
