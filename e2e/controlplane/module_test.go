package controlplane

import (
	"encoding/json"
	"strings"
	"testing"
)

// Replace directives as k8s.io/kubernetes 1.36.3 and etcd 3.6.8 have them, as
// `go mod edit -json` prints them.
func TestThrowawayModuleRepeatsReplacements(t *testing.T) {
	var original goModFile
	if err := json.Unmarshal([]byte(`{"Replace": [
		{"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}},
		{"Old": {"Path": "go.etcd.io/etcd/api/v3"}, "New": {"Path": "../api"}},
		{"Old": {"Path": "example.org/a", "Version": "v1.0.0"}, "New": {"Path": "example.org/b", "Version": "v2.0.0"}}
	]}`), &original); err != nil {
		t.Fatal(err)
	}
	text := throwawayGoMod(module{Path: "k8s.io/kubernetes", Version: "v1.36.3"}, original)
	for _, line := range []string{
		"require k8s.io/kubernetes v1.36.3",
		"replace k8s.io/api => k8s.io/api v0.36.3",
		"replace example.org/a v1.0.0 => example.org/b v2.0.0",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("the go.mod lacks %q:\n%s", line, text)
		}
	}
	if strings.Contains(text, "etcd") {
		t.Errorf("the go.mod replaces a module by a folder that is not there:\n%s", text)
	}
}
