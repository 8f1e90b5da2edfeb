package ui

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func listedNamespaces(names ...string) store.Event {
	listed := store.Listed{Kind: schema.GroupKind{Kind: "Namespace"}}
	for _, name := range names {
		listed.Objects = append(listed.Objects, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	}
	return listed
}

func TestNamespacesThatDoNotExist(t *testing.T) {
	s := fixture(t)
	s.Apply(listedNamespaces("llm", "vision"))
	d := drive(t, Options{Session: Session{Store: s, Namespace: "nosuch"}, NamespaceGiven: true}, 120, 30)
	d.shows("there is no namespace nosuch", ":ns lists those that there are")
	for _, favourite := range d.m.namespaces.favourites {
		if favourite == "nosuch" {
			t.Error("a namespace that does not exist has a digit")
		}
	}
	d.command("ns llm").shows("prod-gpu · llm")
	d.command("ns nosuch").shows("there is no namespace nosuch", "prod-gpu · llm")
	d.command("jobs nosuch").shows("there is no namespace nosuch", "prod-gpu · llm")
	// Not listed, and yet a job is in it: the list was read with other rights.
	d.command("ns rl").shows("prod-gpu · rl", "Jobs 1")
}

// A name that a person types wrong is refused with the names that may be meant, and
// gets no digit; files have no other namespaces than those that were read.
func TestNamespacesThatAreTypedWrong(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	d.command("jobs studnets")
	d.shows("there is no namespace studnets; did you mean students", "all namespaces", "Jobs 14")
	d.command("jobs nosuch")
	d.shows("there is no namespace nosuch; there are ads, batch")
	d.command("jobs -A")
	d.shows("-A is no name of a namespace; :jobs all shows all namespaces", "Jobs 14")
	d.command("nodes Students")
	d.shows("Students is no name of a namespace", "Jobs 14")
	for _, favourite := range d.m.namespaces.favourites {
		if favourite == "nosuch" || favourite == "-A" {
			t.Errorf("%s has a digit", favourite)
		}
	}
	d.command("jobs llm")
	d.shows("prod-gpu · llm", "Jobs 4")

	live := drive(t, Options{Cluster: &fakeCluster{t: t}}, 120, 30)
	live.command("jobs empty-oen")
	live.shows("there is no namespace empty-oen; did you mean empty-one")
	memory := drive(t, Options{Session: Session{Settings: Settings{Favourites: []string{"-A", "llm"}}}}, 160, 45)
	memory.shows("1 llm")
}

func TestWhatPodsHoldIsUnknownBeforeTheyAreListed(t *testing.T) {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}
	node.Status.Allocatable = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8")}
	s.Apply(
		store.HealthChanged{Health: train.Health{Source: "kube/pods", Resource: "pods", State: train.SourceListing}},
		store.Listed{Kind: kinds.NodeKind, Objects: []kinds.Object{node}},
	)
	drive(t, Options{Session: Session{Store: s}}, 120, 30).hides("GPUs 0 of 8 held")
	drive(t, Options{Session: Session{Store: s}}, 120, 30).shows("8 GPUs")
	s.Apply(store.Listed{Kind: kinds.PodKind})
	drive(t, Options{Session: Session{Store: s}}, 120, 30).shows("GPUs 0 of 8 held")
}

func TestTextsThatAreNoObjectsOfferNoManagedFields(t *testing.T) {
	d := drive(t, Options{}, 120, 30).command("sources").keys("enter")
	d.hides("managed fields")
	d.command("jobs").keys("y").shows("managed fields")
}
