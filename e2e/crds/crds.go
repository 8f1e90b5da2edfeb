// Package crds holds resource definitions for every job, queue and pod-group
// kind that traintop reads, as fixtures: the real names, groups, versions and
// scopes with a schema that takes any field. They let a test create objects
// of a kind without its operator. The test plays the operator.
package crds

import (
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Definition names a custom resource as its operator installs it.
type Definition struct {
	Group, Kind, Plural string
	// Versions are all served; the first is stored.
	Versions      []string
	ClusterScoped bool
}

// All lists the definitions, in the order of the operators.
func All() []Definition {
	return []Definition{
		// kubeflow/training-operator v1.9
		{Group: "kubeflow.org", Kind: "PyTorchJob", Plural: "pytorchjobs", Versions: []string{"v1"}},
		{Group: "kubeflow.org", Kind: "TFJob", Plural: "tfjobs", Versions: []string{"v1"}},
		{Group: "kubeflow.org", Kind: "XGBoostJob", Plural: "xgboostjobs", Versions: []string{"v1"}},
		{Group: "kubeflow.org", Kind: "PaddleJob", Plural: "paddlejobs", Versions: []string{"v1"}},
		{Group: "kubeflow.org", Kind: "JAXJob", Plural: "jaxjobs", Versions: []string{"v1"}},
		// kubeflow/mpi-operator v0.6; training-operator v1.9 installs the same
		// name with v1, Arena v0.15 with v1alpha1. A real cluster has one of them.
		{Group: "kubeflow.org", Kind: "MPIJob", Plural: "mpijobs", Versions: []string{"v2beta1", "v1", "v1alpha1"}},
		// kubeflow/trainer v2
		{Group: "trainer.kubeflow.org", Kind: "TrainJob", Plural: "trainjobs", Versions: []string{"v1alpha1"}},
		{Group: "trainer.kubeflow.org", Kind: "TrainingRuntime", Plural: "trainingruntimes", Versions: []string{"v1alpha1"}},
		{Group: "trainer.kubeflow.org", Kind: "ClusterTrainingRuntime", Plural: "clustertrainingruntimes", Versions: []string{"v1alpha1"}, ClusterScoped: true},
		{Group: "trainer.kubeflow.org", Kind: "OptimizationJob", Plural: "optimizationjobs", Versions: []string{"v1alpha1"}},
		// kubernetes-sigs/jobset v0.10, kubernetes-sigs/lws v0.7
		{Group: "jobset.x-k8s.io", Kind: "JobSet", Plural: "jobsets", Versions: []string{"v1alpha2"}},
		{Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet", Plural: "leaderworkersets", Versions: []string{"v1"}},
		// volcano-sh/volcano v1.10
		{Group: "batch.volcano.sh", Kind: "Job", Plural: "jobs", Versions: []string{"v1alpha1"}},
		{Group: "scheduling.volcano.sh", Kind: "PodGroup", Plural: "podgroups", Versions: []string{"v1beta1"}},
		{Group: "scheduling.volcano.sh", Kind: "Queue", Plural: "queues", Versions: []string{"v1beta1"}, ClusterScoped: true},
		{Group: "topology.volcano.sh", Kind: "HyperNode", Plural: "hypernodes", Versions: []string{"v1alpha1"}, ClusterScoped: true}, // v1.12
		// ray-project/kuberay v1.3
		{Group: "ray.io", Kind: "RayJob", Plural: "rayjobs", Versions: []string{"v1"}},
		{Group: "ray.io", Kind: "RayCluster", Plural: "rayclusters", Versions: []string{"v1"}},
		// kubeflow/arena v0.15
		{Group: "kai.alibabacloud.com", Kind: "TrainingJob", Plural: "trainingjobs", Versions: []string{"v1alpha1"}},
		// project-codeflare/appwrapper v1.2
		{Group: "workload.codeflare.dev", Kind: "AppWrapper", Plural: "appwrappers", Versions: []string{"v1beta2"}},
		// SageMaker HyperPod's training operator, intelligent-machine-learning/dlrover
		{Group: "sagemaker.amazonaws.com", Kind: "HyperPodPyTorchJob", Plural: "hyperpodpytorchjobs", Versions: []string{"v1"}},
		{Group: "elastic.iml.github.io", Kind: "ElasticJob", Plural: "elasticjobs", Versions: []string{"v1alpha1"}},
		// kubernetes-sigs/kueue v0.14, which serves both versions
		{Group: "kueue.x-k8s.io", Kind: "Workload", Plural: "workloads", Versions: []string{"v1beta2", "v1beta1"}},
		{Group: "kueue.x-k8s.io", Kind: "LocalQueue", Plural: "localqueues", Versions: []string{"v1beta2", "v1beta1"}},
		{Group: "kueue.x-k8s.io", Kind: "ClusterQueue", Plural: "clusterqueues", Versions: []string{"v1beta2", "v1beta1"}, ClusterScoped: true},
		{Group: "kueue.x-k8s.io", Kind: "Cohort", Plural: "cohorts", Versions: []string{"v1beta2", "v1beta1"}, ClusterScoped: true},
		{Group: "kueue.x-k8s.io", Kind: "ResourceFlavor", Plural: "resourceflavors", Versions: []string{"v1beta2", "v1beta1"}, ClusterScoped: true},
		// kubernetes-sigs/scheduler-plugins, NVIDIA/KAI-Scheduler
		{Group: "scheduling.x-k8s.io", Kind: "PodGroup", Plural: "podgroups", Versions: []string{"v1alpha1"}},
		{Group: "scheduling.run.ai", Kind: "PodGroup", Plural: "podgroups", Versions: []string{"v2alpha2"}},
		{Group: "scheduling.run.ai", Kind: "Queue", Plural: "queues", Versions: []string{"v2"}, ClusterScoped: true},
	}
}

// Objects are the CustomResourceDefinition objects of some definitions.
func Objects(definitions ...Definition) []*unstructured.Unstructured {
	var objects []*unstructured.Unstructured
	for _, definition := range definitions {
		objects = append(objects, definition.Object())
	}
	return objects
}

// Object is the CustomResourceDefinition itself. Every version has a status
// of its own that only its controller writes, as the real ones have.
func (d Definition) Object() *unstructured.Unstructured {
	scope := "Namespaced"
	if d.ClusterScoped {
		scope = "Cluster"
	}
	var versions []any
	for i, version := range d.Versions {
		versions = append(versions, map[string]any{
			"name": version, "served": true, "storage": i == 0,
			"schema":       map[string]any{"openAPIV3Schema": anyObject()},
			"subresources": map[string]any{"status": map[string]any{}},
		})
	}
	definition := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": d.Plural + "." + d.Group},
		"spec": map[string]any{
			"group": d.Group, "scope": scope, "versions": versions,
			"names": map[string]any{
				"kind": d.Kind, "listKind": d.Kind + "List",
				"plural": d.Plural, "singular": strings.ToLower(d.Kind),
			},
		},
	}
	if strings.HasSuffix(d.Group, ".k8s.io") || strings.HasSuffix(d.Group, ".x-k8s.io") {
		// The API server refuses definitions in groups of the Kubernetes
		// community without a link to their review.
		definition["metadata"].(map[string]any)["annotations"] = map[string]any{
			"api-approved.kubernetes.io": "unapproved, a fixture for tests",
		}
	}
	return &unstructured.Unstructured{Object: definition}
}

// anyObject is a structural schema that accepts any spec and any status.
func anyObject() map[string]any {
	anything := func() map[string]any {
		return map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	}
	schema := anything()
	schema["properties"] = map[string]any{"spec": anything(), "status": anything()}
	return schema
}
