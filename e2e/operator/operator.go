// Package operator plays the operators of training jobs against a real API
// server: it creates what the real ones would create for a job of each kind,
// with the same owners and labels, and writes the statuses that they would
// write. Pods run because kwok plays the kubelets; batch Jobs and
// StatefulSets below a job are run by their real controllers.
package operator

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/controlplane"
)

// podWait bounds the wait for pods that real controllers make.
const podWait = 30 * time.Second

// Operator plays the operators in one namespace.
type Operator struct {
	Cluster   *controlplane.ControlPlane
	Namespace string
}

// Create makes the job's object, as a person does; nothing runs yet.
func (o Operator) Create(ctx context.Context, life Life) error {
	if life.Object == nil {
		return nil
	}
	_, err := o.apply(ctx, life.Object, nil)
	return err
}

// Run resumes the job if it is suspended, makes everything below it and
// writes that it runs.
func (o Operator) Run(ctx context.Context, life Life) error {
	if life.Suspended {
		if err := o.resume(ctx, life); err != nil {
			return err
		}
	}
	owners := map[string]*unstructured.Unstructured{}
	if life.Object != nil {
		top, err := o.get(ctx, object(life.Object))
		if err != nil {
			return err
		}
		remember(owners, top)
	}
	for _, fields := range life.Below {
		made, err := o.apply(ctx, fields, owners)
		if err != nil {
			return err
		}
		remember(owners, made)
	}
	return o.SetStatus(ctx, life, life.Running)
}

func (o Operator) resume(ctx context.Context, life Life) error {
	job := object(life.Object).DeepCopy()
	job.SetNamespace(o.Namespace)
	resource, err := o.Cluster.Resource(job)
	if err != nil {
		return fmt.Errorf("resume %s: %w", life.Name, err)
	}
	patch := []byte(`{"spec":{"suspend":false}}`)
	if _, err := resource.Patch(ctx, life.Name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		return fmt.Errorf("resume %s: %w", life.Name, err)
	}
	return nil
}

// Succeed ends every pod of the job with exit code 0, then the job.
func (o Operator) Succeed(ctx context.Context, life Life) error {
	if err := o.endPods(ctx, life, "0"); err != nil {
		return err
	}
	return o.SetStatus(ctx, life, life.Succeeded)
}

// Fail ends every pod of the job with exit code 1, then the job.
func (o Operator) Fail(ctx context.Context, life Life) error {
	if err := o.endPods(ctx, life, "1"); err != nil {
		return err
	}
	return o.SetStatus(ctx, life, life.Failed)
}

// SetStatus replaces the job's status; nil leaves it to its real controller.
func (o Operator) SetStatus(ctx context.Context, life Life, status map[string]any) error {
	if status == nil {
		return nil
	}
	job, err := o.get(ctx, object(life.Object))
	if err != nil {
		return err
	}
	job.Object["status"] = status
	resource, err := o.Cluster.Resource(job)
	if err != nil {
		return fmt.Errorf("write the status of %s: %w", life.Name, err)
	}
	if _, err := resource.UpdateStatus(ctx, job, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("write the status of %s: %w", life.Name, err)
	}
	return nil
}

// Annotate sets an annotation on a pod, which kwok then obeys.
func (o Operator) Annotate(ctx context.Context, pod, key, value string) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"annotations": map[string]string{key: value}}})
	if err != nil {
		return fmt.Errorf("encode an annotation: %w", err)
	}
	_, err = o.Cluster.Clients().CoreV1().Pods(o.Namespace).Patch(ctx, pod, types.MergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		return fmt.Errorf("annotate pod %s with %s: %w", pod, key, err)
	}
	return nil
}

// Pods names the pods of a job, which all begin with its name. It waits until
// there are as many as the job wants, since real controllers make some.
func (o Operator) Pods(ctx context.Context, life Life) ([]string, error) {
	var names []string
	err := o.Cluster.Wait(ctx, podWait, func(ctx context.Context) error {
		list, err := o.Cluster.Clients().CoreV1().Pods(o.Namespace).List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return err
		}
		names = nil
		for _, pod := range list.Items {
			if strings.HasPrefix(pod.Name, life.Name+"-") {
				names = append(names, pod.Name)
			}
		}
		if len(names) < life.Ranks {
			return fmt.Errorf("%s has %d pods, wants %d", life.Name, len(names), life.Ranks)
		}
		return nil
	})
	return names, err
}

func (o Operator) endPods(ctx context.Context, life Life, exitCode string) error {
	if life.KeepsPods {
		return nil
	}
	pods, err := o.Pods(ctx, life)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if err := o.Annotate(ctx, pod, "e2e/exit", exitCode); err != nil {
			return err
		}
	}
	return nil
}
