package act

import (
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/kinds"

	"context"
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/actions"
)

// awaitEvery is how often the status of a starting container is read.
const awaitEvery = 400 * time.Millisecond

// hopeless are waiting reasons that rarely resolve by themselves (kubelet
// 1.36, pkg/kubelet/images/types.go,
// pkg/kubelet/kuberuntime/kuberuntime_container.go).
var hopeless = []string{"ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName", "CreateContainerConfigError", "CreateContainerError", "RunContainerError"}

// AwaitRunning returns when a container runs, or with a *actions.Failure if it
// has ended, cannot start, or ctx ended.
func (c *Actor) AwaitRunning(ctx context.Context, at actions.Container) error {
	ctx = client.WithoutLogs(ctx)
	doing := client.Printable("starting container " + at.Name + " in pod " + client.JoinName(at.Namespace, at.Pod))
	last := ""
	for {
		pod, failure := podFor(ctx, c.connection, at, doing)
		if failure != nil && ctx.Err() == nil {
			return failure
		}
		if failure == nil {
			status := kinds.ContainerStatus(pod, at.Name)
			why := whyNotRunning(pod, at.Name)
			switch {
			case why == "":
				return nil
			case neverRuns(status):
				return &actions.Failure{Kind: actions.NotRunning, Text: doing + ": " + why}
			}
			last = why
		}
		if !client.Sleep(ctx, awaitEvery) {
			return notInTime(ctx, doing, last)
		}
	}
}

func neverRuns(status *corev1.ContainerStatus) bool {
	if status == nil {
		return false
	}
	return status.State.Terminated != nil || status.State.Waiting != nil && slices.Contains(hopeless, status.State.Waiting.Reason)
}

func notInTime(ctx context.Context, doing, last string) *actions.Failure {
	if last != "" {
		last = ": " + last
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &actions.Failure{Kind: actions.TooLate, Text: doing + ": it did not start in time" + last, Cause: ctx.Err()}
	}
	return &actions.Failure{Kind: actions.Cancelled, Text: doing + ": it was stopped" + last, Cause: ctx.Err()}
}
