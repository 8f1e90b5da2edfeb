package changes

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// cluster is a store that was read from a file and to which tests apply changes.
type cluster struct{ *store.Store }

func without(t *testing.T, path string) cluster {
	t.Helper()
	st := store.New(func() time.Time { return time.Time{} })
	if err := dump.New([]string{path}, dump.Options{}).Run(context.Background(), st); err != nil {
		t.Fatal(err)
	}
	return cluster{st}
}

func (c cluster) drop(kind schema.GroupKind, ref train.Ref) {
	c.Apply(store.Deleted{Kind: kind, Namespace: ref.Namespace, Name: ref.Name})
}

func (c cluster) put(o kinds.Object) {
	kind := o.GetObjectKind().GroupVersionKind().GroupKind()
	if _, isPod := o.(*corev1.Pod); isPod {
		kind = kinds.PodKind
	}
	c.Apply(store.Set{Kind: kind, Object: o})
}

// renewed returns another pod with the same name.
func renewed(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	pod.UID += "-2"
	return pod
}

func TestDeletionIsDoneWhenObjectAndPodsAreGone(t *testing.T) {
	c := without(t, clusters+"mpijob-running.yaml")
	s := c.Snapshot()
	job := only(t, s, "resnet-allreduce")
	done := Make(s, Delete, []train.Ref{job.Ref}, Choice{}).Targets[0].Done
	expect := func(wantDone bool, wantRest string) {
		t.Helper()
		if is, rest := done(c.Snapshot()); is != wantDone || rest != wantRest {
			t.Errorf("%v %q, want %v %q", is, rest, wantDone, wantRest)
		}
	}
	expect(false, "MPIJob hpc/resnet-allreduce is still there")
	c.Apply(store.Listed{Kind: kindOf(job.Ref)}) // all MPIJobs of the cluster: none
	expect(false, "3 pods are ending")
	pods := podsOf(job)
	c.drop(kinds.PodKind, pods[0])
	c.drop(kinds.PodKind, pods[1])
	expect(false, "1 pod is ending")
	c.put(renewed(s.Pod(pods[2].Namespace, pods[2].Name)))
	expect(true, "")
}

func TestASuspensionIsDoneWhenNoPodIsLeft(t *testing.T) {
	c := without(t, clusters+"pytorch-crashloop.yaml")
	s := c.Snapshot()
	job := only(t, s, "clip")
	done := Make(s, Suspend, []train.Ref{job.Ref}, Choice{}).Targets[0].Done
	if is, rest := done(s); is || rest == "" {
		t.Errorf("before: %v %q", is, rest)
	}
	o, _ := s.Object(kindOf(job.Ref), job.Ref.Namespace, job.Ref.Name)
	suspended := o.(*unstructured.Unstructured).DeepCopy()
	if err := unstructured.SetNestedField(suspended.Object, true, "spec", "runPolicy", "suspend"); err != nil {
		t.Fatal(err)
	}
	c.put(suspended)
	if is, rest := done(c.Snapshot()); is || rest != "3 pods are ending" {
		t.Errorf("suspended: %v %q", is, rest)
	}
	for _, pod := range podsOf(job) {
		c.drop(kinds.PodKind, pod)
	}
	if is, rest := done(c.Snapshot()); !is {
		t.Errorf("gone: %v %q", is, rest)
	}
}

func TestOnlyARayJobThatShutsDownIsSuspended(t *testing.T) {
	c := without(t, objects+"rayjob-running.yaml")
	job := only(t, c.Snapshot(), "")
	if target := Make(c.Snapshot(), Suspend, []train.Ref{job.Ref}, Choice{}).Targets[0]; !strings.Contains(target.Refused, "shutdownAfterJobFinishes") {
		t.Errorf("%+v", target)
	}
	o, _ := c.Snapshot().Object(kindOf(job.Ref), job.Ref.Namespace, job.Ref.Name)
	shuts := o.(*unstructured.Unstructured).DeepCopy()
	if err := unstructured.SetNestedField(shuts.Object, true, "spec", "shutdownAfterJobFinishes"); err != nil {
		t.Fatal(err)
	}
	c.put(shuts)
	if text := written(Make(c.Snapshot(), Suspend, []train.Ref{job.Ref}, Choice{})); !strings.Contains(text, `{"spec":{"suspend":true}}`) || !strings.Contains(text, "begins again on a new RayCluster") {
		t.Error(text)
	}
}
