package e2e

import (
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/controlplane"
)

// Answers of the API server about rights arrive in the order of the questions,
// and a refusal names the rule that would allow it.
func TestAccessReviews(t *testing.T) {
	t.Parallel()
	const namespace = "access"
	namespaces(t, namespace)
	kubeconfig := user(t, "access-some", controlplane.Grant{Namespace: namespace, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods", "pods/exec"}, Verbs: []string{"create", "delete"}},
		{APIGroups: []string{"kubeflow.org"}, Resources: []string{"pytorchjobs"}, ResourceNames: []string{"mine"}, Verbs: []string{"patch"}},
	}})
	job := actions.Access{Verb: actions.Patch, Group: "kubeflow.org", Kind: "PyTorchJob", Namespace: namespace}
	mine, yours := job, job
	mine.Name, yours.Name = "mine", "yours"
	wanted := []struct {
		actions.Access
		allowed, unknown bool
		words            []string
	}{
		{actions.Access{Verb: actions.Delete, Kind: "Pod", Namespace: namespace, Name: "bert-0"}, true, false, nil},
		{actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "exec", Namespace: namespace}, true, false, nil},
		{mine, true, false, nil},
		{yours, false, false, []string{"may not patch pytorchjobs in namespace access", "Role", "verb patch on pytorchjobs of API group kubeflow.org", "kubectl auth can-i patch pytorchjobs.kubeflow.org -n access"}},
		{actions.Access{Verb: actions.Delete, Kind: "Pod", Namespace: "default"}, false, false, []string{"namespace default"}},
		{actions.Access{Verb: actions.Patch, Kind: "Node", Name: "gpu-0"}, false, false, []string{"may not patch nodes", "ClusterRole"}},
		{actions.Access{Verb: actions.Patch, Group: "no.such", Kind: "Thing", Namespace: namespace}, false, true, []string{"does not serve"}},
	}
	var questions []actions.Access
	for range 20 { // more than go at once
		for _, one := range wanted {
			questions = append(questions, one.Access)
		}
	}
	verdicts := actor(t, kubeconfig).Allowed(t.Context(), questions)
	for i, verdict := range verdicts {
		want := wanted[i%len(wanted)]
		if verdict.Allowed != want.allowed || verdict.Unknown != want.unknown || (verdict.Reason == "") != want.allowed {
			t.Fatalf("%+v: %+v", questions[i], verdict)
		}
		for _, word := range want.words {
			if !strings.Contains(verdict.Reason, word) {
				t.Fatalf("%+v: %q, want %q in it", questions[i], verdict.Reason, word)
			}
		}
	}
}

// Where the server does not answer, the verdict is unknown, with the reason.
func TestAccessReviewsWithoutAnswer(t *testing.T) {
	t.Parallel()
	w, kubeconfig := newWire(t)
	c := actor(t, kubeconfig)
	w.cut()
	verdict := c.Allowed(t.Context(), []actions.Access{{Verb: actions.Delete, Kind: "Pod", Namespace: "default"}})[0]
	if verdict.Allowed || !verdict.Unknown || !strings.Contains(verdict.Reason, "no answer from") {
		t.Errorf("%+v", verdict)
	}
}
