package act

import (
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/kinds"

	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

// podFor reads the pod of a container.
func podFor(ctx context.Context, c *client.Connection, at actions.Container, doing string) (*corev1.Pod, *actions.Failure) {
	pod := &corev1.Pod{}
	err := c.Ask(ctx, func(ctx context.Context) error {
		return c.Core.Get().AbsPath("/api/v1/namespaces", at.Namespace, "pods", at.Pod).Do(ctx).Into(pod)
	})
	switch {
	case apierrors.IsNotFound(err):
		return nil, &actions.Failure{Kind: actions.Gone, Text: doing + ": the pod does not exist any more", Cause: err}
	case err != nil:
		tried := attempt{doing: doing, verb: "get", ref: train.PodRef(at.Namespace, at.Pod, "")}
		return nil, changeFailure(ctx, c.Address, tried, err)
	case at.PodUID != "" && string(pod.UID) != at.PodUID:
		return nil, &actions.Failure{Kind: actions.Gone, Text: doing + ": the pod that was meant is gone; another one has its name now and is left alone"}
	}
	return pod, nil
}

// defaultContainerAnnotation is what kubectl respects (k8s.io/kubectl 0.36,
// pkg/cmd/util/podcmd).
const defaultContainerAnnotation = "kubectl.kubernetes.io/default-container"

// defaultContainer is the one kubectl uses if none is named.
func defaultContainer(pod *corev1.Pod, names []string) string {
	if name := pod.Annotations[defaultContainerAnnotation]; slices.Contains(names, name) {
		return name
	}
	if len(pod.Spec.Containers) > 0 {
		return pod.Spec.Containers[0].Name
	}
	return ""
}

func containersOf(pod *corev1.Pod) []string {
	var names []string
	for i := range pod.Spec.Containers {
		names = append(names, pod.Spec.Containers[i].Name)
	}
	for i := range pod.Spec.InitContainers {
		names = append(names, pod.Spec.InitContainers[i].Name)
	}
	for i := range pod.Spec.EphemeralContainers {
		names = append(names, pod.Spec.EphemeralContainers[i].Name)
	}
	return names
}

// terminalOf reports whether a container was created with an input and a
// terminal; otherwise attaching with them is impossible.
func terminalOf(pod *corev1.Pod, container string) (input, terminal bool) {
	for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
		for i := range list {
			if list[i].Name == container {
				return list[i].Stdin, list[i].TTY
			}
		}
	}
	for i := range pod.Spec.EphemeralContainers {
		if c := &pod.Spec.EphemeralContainers[i]; c.Name == container {
			return c.Stdin, c.TTY
		}
	}
	return false, false
}

// whyNotRunning returns why no command can run in a container, "" if one can.
func whyNotRunning(pod *corev1.Pod, container string) string {
	status := kinds.ContainerStatus(pod, container)
	switch {
	case status != nil && status.State.Running != nil:
		return ""
	case status != nil && status.State.Terminated != nil:
		return howEnded(status.State.Terminated)
	case pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded:
		return client.Joined("the pod has ended:", client.JoinReason(string(pod.Status.Phase)+" "+pod.Status.Reason, pod.Status.Message))
	case status != nil && status.State.Waiting != nil && status.LastTerminationState.Terminated != nil:
		return "the container waits for its next start (" + client.Printable(status.State.Waiting.Reason) + "); before, " + howEnded(status.LastTerminationState.Terminated)
	case status != nil && status.State.Waiting != nil:
		return "the container has not started: " + client.JoinReason(status.State.Waiting.Reason, status.State.Waiting.Message)
	case pod.Spec.NodeName == "":
		return "the pod has no node yet, so nothing of it runs"
	}
	return "the container has not started yet; try again when it runs"
}

func howEnded(end *corev1.ContainerStateTerminated) string {
	text := fmt.Sprintf("the container ended with exit code %d", end.ExitCode)
	if end.Reason != "" {
		text += " (" + client.Printable(end.Reason) + ")"
	}
	if !end.FinishedAt.IsZero() {
		text += " at " + end.FinishedAt.UTC().Format(time.RFC3339)
	}
	return text + "; its log is still there"
}

// lookTimeout limits reading the pod after its command was cut off.
const lookTimeout = 3 * time.Second

// fate returns what happened to the container meanwhile, if that explains the
// end of a command.
func (x *execution) fate(ctx context.Context) (actions.FailureKind, string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	before := x.exec.Container
	before.PodUID = string(x.pod.UID)
	pod, failure := podFor(ctx, x.connection, before, "")
	switch {
	case failure != nil && failure.Kind == actions.Gone:
		return actions.Gone, "the pod was deleted meanwhile"
	case failure != nil:
		return "", ""
	case pod.DeletionTimestamp != nil:
		return actions.Gone, "the pod is being deleted"
	}
	if why := whyNotRunning(pod, x.container); why != "" {
		return actions.NotRunning, why
	}
	if was, is := kinds.ContainerStatus(x.pod, x.container), kinds.ContainerStatus(pod, x.container); was != nil && is != nil && is.RestartCount > was.RestartCount {
		return actions.NotRunning, "the container was restarted meanwhile; a new one runs now"
	}
	return "", ""
}
