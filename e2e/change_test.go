package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/train"
)

const realJob = `
apiVersion: batch/v1
kind: Job
metadata: {name: NAME, namespace: NAMESPACE, annotations: {note: kept}}
spec:
  parallelism: 2
  completions: 2
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers:
      - {name: main, image: registry.example/train, args: [train.py, --api-key=abc], env: [{name: HF_TOKEN, value: hf_1}, {name: LR, value: "0.1"}]}
`

// newJob makes a real batch Job, and returns it when its pods run.
func newJob(t *testing.T, namespace, name string) train.Ref {
	t.Helper()
	_, err := cluster.Apply(t.Context(), strings.NewReplacer("NAMESPACE", namespace, "NAME", name).Replace(realJob))
	must(t, err)
	podsOf(t, namespace, name, 2)
	found := jobNow(t, namespace, name)
	return train.Ref{Group: "batch", Kind: "Job", Namespace: namespace, Name: name, UID: string(found.UID)}
}

func jobNow(t *testing.T, namespace, name string) *batchv1.Job {
	t.Helper()
	found, err := cluster.Clients().BatchV1().Jobs(namespace).Get(t.Context(), name, metav1.GetOptions{})
	must(t, err)
	return found
}

// podsOf waits until a Job has so many pods.
func podsOf(t *testing.T, namespace, job string, want int) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), 60*time.Second, func(ctx context.Context) error {
		pods, err := cluster.Clients().CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=" + job})
		if err == nil && len(pods.Items) != want {
			err = fmt.Errorf("%s has %d pods, want %d", job, len(pods.Items), want)
		}
		return err
	}))
}

func merge(ref train.Ref, body string) actions.Request {
	return actions.Request{Verb: actions.Patch, Ref: ref, PatchType: "application/merge-patch+json", Body: []byte(body)}
}

func TestARealJobIsSuspendedAndResumed(t *testing.T) {
	t.Parallel()
	namespaces(t, "change-suspend")
	ref, to := newJob(t, "change-suspend", "bert"), acting(t, cluster.Kubeconfig)
	for _, one := range []struct {
		body string
		pods int
	}{{`{"spec":{"suspend":true}}`, 0}, {`{"spec":{"suspend":false}}`, 2}} {
		dry := merge(ref, one.body)
		dry.DryRun = true
		before := jobNow(t, ref.Namespace, ref.Name).ResourceVersion
		if _, err := to.Change(t.Context(), dry); err != nil {
			t.Fatal(err)
		}
		if *jobNow(t, ref.Namespace, ref.Name).Spec.Suspend != (one.pods > 0) {
			t.Errorf("a dry run of %s changed the job (from version %s)", one.body, before)
		}
		answer, err := to.Change(t.Context(), merge(ref, one.body))
		must(t, err)
		var after batchv1.Job
		must(t, json.Unmarshal(answer, &after))
		if *after.Spec.Suspend != (one.pods == 0) {
			t.Errorf("%s answers that suspend is %v", one.body, *after.Spec.Suspend)
		}
		podsOf(t, ref.Namespace, ref.Name, one.pods)
	}
}

// The real garbage collector behaves as each propagation promises.
func TestJobsAreDeletedWithEachPropagation(t *testing.T) {
	t.Parallel()
	const namespace = "change-delete"
	namespaces(t, namespace)
	to := acting(t, cluster.Kubeconfig)
	for propagation, left := range map[actions.Propagation]int{"": 0, actions.Background: 0, actions.Foreground: 0, actions.Orphan: 2} {
		name := "job-" + strings.ToLower(string(propagation))
		ref := newJob(t, namespace, strings.TrimSuffix(name, "-"))
		dry := actions.Request{Verb: actions.Delete, Ref: ref, Propagation: propagation, DryRun: true}
		_, err := to.Change(t.Context(), dry)
		must(t, err)
		podsOf(t, namespace, ref.Name, 2)
		if jobNow(t, namespace, ref.Name).DeletionTimestamp != nil {
			t.Errorf("%q: a dry run deleted", propagation)
		}
		dry.DryRun = false
		_, err = to.Change(t.Context(), dry)
		must(t, err)
		must(t, cluster.Wait(t.Context(), 60*time.Second, func(ctx context.Context) error {
			_, err := cluster.Clients().BatchV1().Jobs(namespace).Get(ctx, ref.Name, metav1.GetOptions{})
			if err == nil {
				return errors.New(ref.Name + " is still there")
			}
			return nil
		}))
		podsOf(t, namespace, ref.Name, left)
		_, err = to.Change(t.Context(), dry)
		if failed := failure(t, err); failed.Kind != actions.Gone {
			t.Errorf("%q: deleting it again: %s: %s", propagation, failed.Kind, failed.Text)
		}
	}
}

// Refusals of the real API server, and their messages.
func TestChangesThatAreRefusedSayWhy(t *testing.T) {
	t.Parallel()
	const namespace = "change-refused"
	namespaces(t, namespace)
	ref := newJob(t, namespace, "bert")
	other := ref
	other.UID = "00000000-0000-0000-0000-000000000000"
	pods, err := cluster.Clients().CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	must(t, err)
	pod := train.Ref{Kind: "Pod", Namespace: namespace, Name: pods.Items[0].Name, UID: string(pods.Items[0].UID)}
	_, err = cluster.Apply(t.Context(), `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep, namespace: change-refused}
spec: {minAvailable: 2, selector: {matchLabels: {batch.kubernetes.io/job-name: bert}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: no-claims, namespace: change-refused}
spec: {hard: {persistentvolumeclaims: "0"}}
`)
	must(t, err)
	must(t, cluster.Wait(t.Context(), 30*time.Second, func(ctx context.Context) error {
		budget, err := cluster.Clients().PolicyV1().PodDisruptionBudgets(namespace).Get(ctx, "keep", metav1.GetOptions{})
		if err == nil && budget.Status.ObservedGeneration == 0 {
			err = errors.New("the budget is not observed yet")
		}
		if quota, quotaErr := cluster.Clients().CoreV1().ResourceQuotas(namespace).Get(ctx, "no-claims", metav1.GetOptions{}); err == nil && (quotaErr != nil || len(quota.Status.Hard) == 0) {
			err = errors.New("the quota is not observed yet")
		}
		return err
	}))
	reader := user(t, "change-reader", controlplane.Grant{Namespace: namespace, Rules: []rbacv1.PolicyRule{may("batch", "jobs")}})
	json6902 := merge(other, `[{"op":"add","path":"/spec/suspend","value":true}]`)
	json6902.PatchType = "application/json-patch+json"
	strict := merge(ref, `{"spec":{"suspnd":true}}`)
	strict.Strict = true
	for _, one := range []struct {
		name, kubeconfig string
		request          actions.Request
		kind             actions.FailureKind
		want             string
	}{
		{"no right to delete", reader, actions.Request{Verb: actions.Delete, Ref: ref}, actions.Forbidden, "it needs a Role with verb delete on jobs of API group batch in namespace change-refused"},
		{"no right to patch", reader, merge(ref, `{}`), actions.Forbidden, "verb patch on jobs of API group batch"},
		{"another job of the name, delete", "", actions.Request{Verb: actions.Delete, Ref: other}, actions.Gone, "another one has its name now"},
		{"another job of the name, merge patch", "", merge(other, `{"spec":{"suspend":true}}`), actions.Gone, "another one has its name now"},
		{"another job of the name, JSON patch", "", json6902, actions.Gone, "another one has its name now"},
		{"an old version", "", merge(ref, `{"metadata":{"resourceVersion":"1"}}`), actions.Conflict, "changed by somebody else"},
		{"an immutable field", "", merge(ref, `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"other"}]}}}}`), actions.Invalid, "spec.template: field is immutable"},
		{"a bad value", "", merge(ref, `{"spec":{"parallelism":-1}}`), actions.Invalid, "spec.parallelism"},
		{"an unknown field", "", strict, actions.Invalid, `unknown field "spec.suspnd"`},
		{"a quota", "", actions.Request{
			Verb: actions.Create, Ref: train.Ref{Kind: "PersistentVolumeClaim", Namespace: namespace, Name: "data"},
			Body: []byte(`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`),
		}, actions.Invalid, "a ResourceQuota has no room: no-claims"},
		{"a disruption budget", "", actions.Request{Verb: actions.Create, Subresource: "eviction", Ref: pod, Body: []byte(`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"` + pod.Name + `"}}`)}, actions.Invalid, "a PodDisruptionBudget forbids it now"},
		{"an unknown kind", "", actions.Request{Verb: actions.Delete, Ref: train.Ref{Group: "none.example", Kind: "None", Namespace: namespace, Name: "x"}}, actions.Other, "does not serve"},
	} {
		kubeconfig := one.kubeconfig
		if kubeconfig == "" {
			kubeconfig = cluster.Kubeconfig
		}
		_, err := acting(t, kubeconfig).Change(t.Context(), one.request)
		if failed := failure(t, err); failed.Kind != one.kind || !strings.Contains(failed.Text, one.want) || strings.Contains(failed.Text, "hf_1") {
			t.Errorf("%s:\n got %s: %s\nwant %s: %s", one.name, failed.Kind, failed.Text, one.kind, one.want)
		}
	}
	if now := jobNow(t, namespace, "bert"); *now.Spec.Suspend || now.DeletionTimestamp != nil {
		t.Error("something was done all the same")
	}
}

// A real job is edited: the server's own defaults show in the difference,
// secrets do not and stay, and a status that keeps changing is no obstacle.
func TestARealJobIsEdited(t *testing.T) {
	t.Parallel()
	const namespace = "change-edit"
	namespaces(t, namespace)
	ref, to := newJob(t, namespace, "bert"), acting(t, cluster.Kubeconfig)
	draft, err := to.Fetch(t.Context(), ref)
	must(t, err)
	if text := string(draft.Text); strings.Contains(text, "hf_1") || strings.Contains(text, "=abc") || draft.Masked != 2 {
		t.Errorf("%d masked:\n%s", draft.Masked, text)
	}
	edited := []byte(strings.Replace(string(draft.Text), "parallelism: 2", "parallelism: 1", 1))
	proposal, err := to.DryRun(t.Context(), draft, edited)
	must(t, err)
	if !strings.Contains(proposal.Diff, "-  parallelism: 2\n+  parallelism: 1\n") || fmt.Sprint(proposal.Changed) != "[spec.parallelism]" {
		t.Errorf("%v:\n%s", proposal.Changed, proposal.Diff)
	}
	if *jobNow(t, namespace, "bert").Spec.Parallelism != 2 {
		t.Error("a dry run changed the job")
	}
	status := `{"status":{"conditions":[{"type":"Noted","status":"True"}]}}`
	_, err = cluster.Clients().BatchV1().Jobs(namespace).Patch(t.Context(), "bert", "application/merge-patch+json", []byte(status), metav1.PatchOptions{}, "status")
	must(t, err)
	must(t, to.Apply(t.Context(), proposal))
	podsOf(t, namespace, "bert", 1)
	if env := jobNow(t, namespace, "bert").Spec.Template.Spec.Containers[0].Env; env[0].Value != "hf_1" {
		t.Errorf("the environment is now %v", env)
	}

	// Another client was faster.
	draft, err = to.Fetch(t.Context(), ref)
	must(t, err)
	proposal, err = to.DryRun(t.Context(), draft, []byte(strings.Replace(string(draft.Text), "note: kept", "note: mine", 1)))
	must(t, err)
	_, err = to.Change(t.Context(), merge(ref, `{"metadata":{"annotations":{"note":"theirs"}}}`))
	must(t, err)
	if failed := failure(t, to.Apply(t.Context(), proposal)); failed.Kind != actions.Conflict || !strings.Contains(failed.Text, "somebody else changed it meanwhile") {
		t.Errorf("a conflict: %s: %s", failed.Kind, failed.Text)
	}
	if note := jobNow(t, namespace, "bert").Annotations["note"]; note != "theirs" {
		t.Errorf("the note is %q", note)
	}

	// Fields that the server does not know or does not allow.
	draft, err = to.Fetch(t.Context(), ref)
	must(t, err)
	for change, want := range map[string]string{"parallelism: 1\n  suspnd: true": `unknown field "spec.suspnd"`, "parallelism: -1": "spec.parallelism"} {
		_, err = to.DryRun(t.Context(), draft, []byte(strings.Replace(string(draft.Text), "parallelism: 1", change, 1)))
		if failed := failure(t, err); failed.Kind != actions.Invalid || !strings.Contains(failed.Text, want) {
			t.Errorf("%s: %s: %s", change, failed.Kind, failed.Text)
		}
	}
	reader := user(t, "edit-reader", controlplane.Grant{Namespace: namespace, Rules: []rbacv1.PolicyRule{may("batch", "jobs")}})
	_, err = acting(t, reader).DryRun(t.Context(), draft, []byte(strings.Replace(string(draft.Text), "note: theirs", "note: mine", 1)))
	if failed := failure(t, err); failed.Kind != actions.Forbidden || !strings.Contains(failed.Text, "verb patch on jobs of API group batch") {
		t.Errorf("no right: %s: %s", failed.Kind, failed.Text)
	}
}
