package kubelet

import (
	"context"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lookEvery is how soon a process in a pod notices that the pod is gone.
const lookEvery = 300 * time.Millisecond

// container is one that runs.
type container struct {
	pod  *corev1.Pod
	name string
}

// pod finds the pod of a request. Refusals are those of kubelet 1.36
// (pkg/kubelet/server/server.go).
func (k *Kubelet) pod(w http.ResponseWriter, r *http.Request) (*corev1.Pod, bool) {
	pod, err := k.clients.CoreV1().Pods(r.PathValue("namespace")).Get(r.Context(), r.PathValue("pod"), metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		http.Error(w, "pod does not exist", http.StatusNotFound)
		return nil, false
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return nil, false
	}
	return pod, true
}

func (k *Kubelet) container(w http.ResponseWriter, r *http.Request) (container, bool) {
	pod, ok := k.pod(w, r)
	if !ok {
		return container{}, false
	}
	c := container{pod: pod, name: r.PathValue("container")}
	if !c.runs() {
		http.Error(w, fmt.Sprintf("container not found (%q)", c.name), http.StatusInternalServerError)
		return container{}, false
	}
	return c, true
}

func (c container) runs() bool {
	for _, statuses := range [][]corev1.ContainerStatus{
		c.pod.Status.ContainerStatuses, c.pod.Status.InitContainerStatuses, c.pod.Status.EphemeralContainerStatuses,
	} {
		for i := range statuses {
			if statuses[i].Name == c.name {
				return statuses[i].State.Running != nil
			}
		}
	}
	return false
}

// whileThere is a context that ends with the pod, or with the container when
// one is named.
func (k *Kubelet) whileThere(c container) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(k.context)
	k.running.Go(func() {
		defer cancel()
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(lookEvery):
			}
			pod, err := k.clients.CoreV1().Pods(c.pod.Namespace).Get(ctx, c.pod.Name, metav1.GetOptions{})
			gone := apierrors.IsNotFound(err) || err == nil && pod.UID != c.pod.UID
			if gone || err == nil && c.name != "" && !(container{pod, c.name}).runs() {
				return
			}
		}
	})
	return ctx, cancel
}
