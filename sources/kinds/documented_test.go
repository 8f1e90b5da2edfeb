package kinds

import (
	"flag"
	"os"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write docs/kinds.md anew")

func TestKindsAreDocumented(t *testing.T) {
	const path = "../../docs/kinds.md"
	if *update {
		if err := os.WriteFile(path, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != Markdown() {
		t.Errorf("%s is stale (%v): run make generate", path, err)
	}
}

// The role that the README tells people to apply covers every kind, and
// changes nothing.
func TestTheReadOnlyRoleCoversEveryKind(t *testing.T) {
	text, err := os.ReadFile("../../deploy/rbac.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict(text, &role); err != nil {
		t.Fatal(err)
	}
	granted := map[string]bool{}
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			if verb != "get" && verb != "list" && verb != "watch" {
				t.Errorf("the role may %s %v", verb, rule.Resources)
			}
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					granted[verb+" "+resource+"."+group] = true
				}
			}
		}
	}
	for _, resource := range []string{"pods.", "pods/log."} {
		if !granted["get "+resource] {
			t.Errorf("the role may not get %s, which streams of logs need", resource)
		}
	}
	for _, list := range [][]Kind{Jobs(), Related()} {
		for _, k := range list {
			for _, verb := range []string{"get", "list", "watch"} {
				if !granted[verb+" "+k.Resource+"."+k.Group] {
					t.Errorf("the role may not %s %s.%s", verb, k.Resource, k.Group)
				}
			}
		}
	}
}
