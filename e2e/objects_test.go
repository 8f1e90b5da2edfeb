package e2e

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func named(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{}
	object.SetAPIVersion(apiVersion)
	object.SetKind(kind)
	object.SetNamespace(namespace)
	object.SetName(name)
	return object
}

// listed are the objects of a sample's kind and namespace on the server, as
// sorted names with UIDs.
func listed(t *testing.T, sample *unstructured.Unstructured) ([]string, error) {
	resource, err := cluster.Resource(sample)
	if err != nil {
		return nil, err
	}
	list, err := resource.List(t.Context(), metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("list %ss: %w", sample.GetKind(), err)
	}
	var names []string
	for _, item := range list.Items {
		names = append(names, item.GetName()+" "+string(item.GetUID()))
	}
	slices.Sort(names)
	return names, nil
}

// deleteJob deletes a job of pytorchJob and its pod.
func deleteJob(t *testing.T, namespace, name string) error {
	return errors.Join(
		cluster.Delete(t.Context(), named("kubeflow.org/v1", "PyTorchJob", namespace, name)),
		cluster.Delete(t.Context(), named("v1", "Pod", namespace, name+"-worker-0")),
	)
}

func deletePods(t *testing.T, namespace string) error {
	atOnce := int64(0)
	return cluster.Clients().CoreV1().Pods(namespace).DeleteCollection(t.Context(),
		metav1.DeleteOptions{GracePeriodSeconds: &atOnce}, metav1.ListOptions{})
}
