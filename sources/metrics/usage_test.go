package metrics

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// TestUsage compares metrics.k8s.io answers with the expectations beside them.
func TestUsage(t *testing.T) {
	for _, name := range []string{"nodemetrics", "podmetrics-minikube"} {
		sidecar, err := os.ReadFile("testdata/" + name + ".expect.json")
		if err != nil {
			t.Fatal(err)
		}
		type use struct {
			Node, Namespace, Pod string
			CPU                  float64 `json:"cpu_millicores"`
			Memory               int64   `json:"memory_bytes"`
			Window               float64 `json:"window_s"`
		}
		var want struct{ Nodes, Pods []use }
		if err := json.Unmarshal(sidecar, &want); err != nil {
			t.Fatal(err)
		}
		in, err := os.Open("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		a, err := Read(in, Origin{})
		in.Close()
		if err != nil || len(a.Problems) > 0 || a.Format != ResourceAPI {
			t.Errorf("%s: %s %v %v", name, a.Format, err, a.Problems)
		}
		all := append(want.Nodes, want.Pods...)
		if len(a.Usage) != len(all) {
			t.Fatalf("%s: %d usages, want %d", name, len(a.Usage), len(all))
		}
		for i, w := range all {
			u := a.Usage[i]
			if u.Node != w.Node || u.Namespace != w.Namespace || u.Pod != w.Pod || math.Abs(u.CPU-w.CPU) > 0.001 || u.Memory != w.Memory ||
				math.Abs(u.Window.Seconds()-w.Window) > 0.001 || u.At.Before(time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)) {
				t.Errorf("%s: %+v, want %+v", name, u, w)
			}
		}
	}
}

// Of objects that cannot be used the others stay, each is named, and none takes long.
func TestUsageOfBadObjects(t *testing.T) {
	good := `{"metadata":{"name":"good"},"timestamp":"2021-12-17T17:57:42Z","window":"30s","usage":{"cpu":"1","memory":"1Gi"}}`
	for name, bad := range map[string]string{
		"an amount that is none":    `{"metadata":{"name":"n"},"usage":{"cpu":"lots","memory":"1Gi"}}`,
		"an amount without its end": `{"metadata":{"name":"n"},"usage":{"cpu":"1e-9999999","memory":"1Gi"}}`,
		"no memory":                 `{"metadata":{"name":"n"},"usage":{"cpu":"1"}}`,
		"no CPU of a container":     `{"metadata":{"name":"p","namespace":"ml"},"containers":[{"name":"main","usage":{"memory":"1Gi"}}]}`,
	} {
		for _, text := range []string{bad, `{"kind":"NodeMetricsList","items":[` + bad + "," + good + "]}"} {
			a, err := ReadAs(ResourceAPI, strings.NewReader(text), Origin{})
			if want := strings.Count(text, "good"); err != nil || len(a.Usage) != want || len(a.Problems) != 1 {
				t.Errorf("%s: %+v, %v", name, a, err)
			}
		}
	}
}
