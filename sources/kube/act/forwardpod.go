package act

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// podOverError reports a pod that has ended and will not run again.
type podOverError struct{ phase string }

func (e *podOverError) Error() string {
	return "the pod has ended (" + e.phase + "); nothing listens there any more"
}

// podWaitsError reports a pod that is not running yet.
type podWaitsError struct{ why string }

func (e *podWaitsError) Error() string {
	return "the pod does not run yet (" + e.why + "); try again when it does"
}

// forwardable reads a pod and returns its UID if it runs and is the intended
// one. If pods may not be read, it assumes so and returns the given UID.
func (c *Actor) forwardable(ctx context.Context, f actions.Forward) (string, error) {
	pod, err := c.lookUpPod(ctx, f.Namespace, f.Pod)
	if apierrors.IsForbidden(err) {
		return f.PodUID, nil
	}
	if err != nil {
		return "", err
	}
	uid := string(pod.UID)
	switch {
	case f.PodUID != "" && uid != f.PodUID:
		return "", &replacedError{}
	case pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed:
		return "", &podOverError{client.Printable(string(pod.Status.Phase))}
	case pod.Status.Phase == corev1.PodPending:
		return "", &podWaitsError{whyPending(pod)}
	}
	return uid, nil
}

func whyPending(pod *corev1.Pod) string {
	for _, one := range append(pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses...) {
		if waiting := one.State.Waiting; waiting != nil && waiting.Reason != "" {
			return client.Printable(fmt.Sprintf("%s: container %s waits: %s", pod.Status.Phase, one.Name, waiting.Reason))
		}
	}
	if pod.Spec.NodeName == "" {
		return "Pending: it has no node"
	}
	return "Pending"
}

// lookUpPod reads the current state of one pod.
func (c *Actor) lookUpPod(ctx context.Context, namespace, name string) (*corev1.Pod, error) {
	var pod corev1.Pod
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		result := c.connection.Core.Get().AbsPath("/api/v1/namespaces", namespace, "pods", name).
			SetHeader("Accept", "application/json").Do(ctx)
		if err := result.Error(); err != nil {
			return err
		}
		body, _ := result.Raw()
		return json.Unmarshal(body, &pod)
	})
	return &pod, err
}
