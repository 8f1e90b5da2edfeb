package views

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// TestClusterExplainsFirst: where the API server does not answer, that explains
// the empty list, whatever Prometheus reports.
func TestClusterExplainsFirst(t *testing.T) {
	s := store.New(time.Now)
	for _, h := range []train.Health{
		{Source: "exporters", State: train.SourceRetrying, Resource: "pods/proxy", Text: "exporters"},
		{Source: "kube", State: train.SourceRetrying, Text: "no answer from https://cluster"},
		{Source: "kube/pods", State: train.SourceRetrying, Resource: "pods", Text: "pods"},
		{Source: "metrics.k8s.io", State: train.SourceRetrying, Text: "usage"},
		{Source: "prometheus", State: train.SourceRetrying, Text: "asking Prometheus"},
		{Source: "visibility.kueue.x-k8s.io", State: train.SourceForbidden, Resource: "localqueues/pendingworkloads", Text: "places"},
	} {
		s.Apply(store.HealthChanged{Health: h})
	}
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := Frame{Snapshot: s.Snapshot(), Ages: &draw.Ages{}, Theme: theme}
	texts := f.Missing()
	if len(texts) != 3 || !strings.Contains(texts[1], "no answer from https://cluster") {
		t.Errorf("the reason is %q", texts)
	}
	if texts := f.Missing(); !strings.Contains(texts[2], "VPN") || !strings.Contains(texts[2], ":ctx") {
		t.Errorf("what to do is not said: %q", texts)
	}
	s.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceConnecting}},
		store.HealthChanged{Health: train.Health{Source: "kube/pods", State: train.SourceForbidden, Resource: "pods"}})
	f.Snapshot = s.Snapshot()
	if texts := f.Missing(); !strings.HasPrefix(texts[0], "listing kube") {
		t.Errorf("a cluster that has not answered is explained by %q", texts)
	}
	s.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}})
	f.Snapshot = s.Snapshot()
	if texts := f.Missing(); !strings.HasPrefix(texts[0], "not allowed to list pods") || !strings.Contains(texts[len(texts)-1], ":ns") {
		t.Errorf("a refused list is explained by %q", texts)
	}
}
