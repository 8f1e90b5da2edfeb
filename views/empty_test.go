package views

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
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
	} {
		s.Apply(store.HealthChanged{Health: h})
	}
	f := Frame{Snapshot: s.Snapshot(), Ages: &draw.Ages{}}
	texts := f.Missing()
	if len(texts) != 2 || !strings.Contains(texts[1], "no answer from https://cluster") {
		t.Errorf("the reason is %q", texts)
	}
}
