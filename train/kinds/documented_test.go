package kinds

import (
	"flag"
	"os"
	"strings"
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

// The roles in the README cover every kind and every measurement, and change
// nothing. Proxies reach any page of any pod, so they are a role of their own
// that is bound where exporters are.
func TestTheReadOnlyRolesCoverWhatIsRead(t *testing.T) {
	roles := rolesOf(t, "../../deploy/rbac.yaml")
	granted, proxies := roles["traintop"], roles["traintop-gpu-metrics"]
	if len(roles) != 2 || granted == nil || proxies == nil {
		t.Fatalf("the roles are %v", roles)
	}
	for right := range proxies {
		if right != "get pods/proxy." && right != "get services/proxy." {
			t.Errorf("the role for metrics of GPUs may %s", right)
		}
	}
	for _, right := range []string{"get pods/proxy.", "get services/proxy."} {
		if !proxies[right] || granted[right] {
			t.Errorf("%s: in the role for metrics of GPUs %v, in the other %v", right, proxies[right], granted[right])
		}
	}
	for _, right := range []string{"get pods.", "get pods/log.", "list nodes.metrics.k8s.io", "list pods.metrics.k8s.io",
		"get clusterqueues/pendingworkloads.visibility.kueue.x-k8s.io", "get localqueues/pendingworkloads.visibility.kueue.x-k8s.io"} {
		if !granted[right] {
			t.Errorf("the role may not %s", right)
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

// rolesOf returns the rights of each role of a file, as "verb resource.group".
func rolesOf(t *testing.T, path string) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	roles := map[string]map[string]bool{}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var role rbacv1.ClusterRole
		if err := yaml.UnmarshalStrict([]byte(document), &role); err != nil {
			t.Fatal(err)
		}
		granted := map[string]bool{}
		for _, rule := range role.Rules {
			for _, verb := range rule.Verbs {
				if verb != "get" && verb != "list" && verb != "watch" {
					t.Errorf("role %s may %s %v", role.Name, verb, rule.Resources)
				}
				for _, group := range rule.APIGroups {
					for _, resource := range rule.Resources {
						granted[verb+" "+resource+"."+group] = true
					}
				}
			}
		}
		roles[role.Name] = granted
	}
	return roles
}
