package describe_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/describe"
	"github.com/traintop/traintop/views/screentest"
)

// A ConfigMap is described with its data, as kubectl does; what is secret in it
// is masked, and a Secret's data stays out.
func TestTheDataOfAConfigMap(t *testing.T) {
	described := func(kind string, data map[string]any) string {
		f := frameOf(t, newStore())
		v := describe.New(views.DescribeRoute{Ref: train.Ref{Kind: kind, Namespace: "ml", Name: "settings"}})
		fields := map[string]any{"apiVersion": "v1", "kind": kind, "metadata": map[string]any{"namespace": "ml", "name": "settings"}}
		for name, value := range data {
			fields[name] = value
		}
		v.HasRead(views.Read{Fields: fields})
		return screentest.Plain(v, f)
	}
	page := described("ConfigMap", map[string]any{
		"data":       map[string]any{"epochs": "3", "train.yaml": "lr: 0.001\npassword: hunter2secret\nsteps: 40\n", "password": "hunter2secret"},
		"binaryData": map[string]any{"vocab": "AAECAw=="},
	})
	for _, want := range []string{"epochs: 3", "lr: 0.001", "steps: 40", "vocab:", "4 bytes"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is missing in\n%s", want, page)
		}
	}
	if strings.Contains(page, "hunter2secret") {
		t.Errorf("a secret is shown:\n%s", page)
	}
	if empty := described("ConfigMap", nil); !strings.Contains(empty, "Data:") || !strings.Contains(empty, "none") {
		t.Errorf("an empty ConfigMap is not called empty:\n%s", empty)
	}
	if page := described("Secret", map[string]any{"data": map[string]any{"key": "aHVudGVyMg=="}}); strings.Contains(page, "aHVudGVyMg") {
		t.Errorf("the data of a Secret is shown:\n%s", page)
	}
}
