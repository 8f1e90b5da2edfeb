package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// auditLine is a line of the audit log, declared again since others read the
// file too.
type auditLine struct {
	Time                              time.Time
	ID, Context, Verb, Request, Error string
	Object                            struct{ Group, Kind, Namespace, Name, UID string }
	Result                            string
}

// elasticJob may have one to four ranks. No controller acts on it: the tests
// only look at the change of the object.
const elasticJob = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: NAME, namespace: NAMESPACE, labels: {team: blue}}
spec:
  runPolicy: {suspend: false}
  elasticPolicy: {minReplicas: 1, maxReplicas: 4}
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      restartPolicy: Never
      template: {spec: {containers: [{name: pytorch, image: registry.example/train, env: [{name: HF_TOKEN, value: hf_oldsecret}]}]}}
`

// kept is a rule of the cluster by which the API server refuses to delete.
const kept = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: NAMESPACE-keep}
spec:
  failurePolicy: Fail
  matchConstraints:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAMESPACE}}
    resourceRules: [{apiGroups: [kubeflow.org], apiVersions: ["*"], operations: [DELETE], resources: [pytorchjobs]}]
  validations: [{expression: "oldObject.metadata.name != 'kept'", message: this job is kept}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: NAMESPACE-keep}
spec: {policyName: NAMESPACE-keep, validationActions: [Deny]}
`

var pyTorchJobs = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}

// Each change from the screen leaves two lines, before and after it, with the
// person's context and the object, and no secret.
func TestChangesAreRecorded(t *testing.T) {
	t.Parallel()
	const namespace, node = "audit", "audit-0"
	namespaces(t, namespace)
	must(t, cluster.CreateNodes(t.Context(), "audit", 1, 0))
	for _, object := range []string{elasticJob, strings.Replace(elasticJob, "NAME,", "kept,", 1), kept} {
		_, err := cluster.Apply(t.Context(), strings.NewReplacer("NAMESPACE", namespace, "NAME", "vit").Replace(object))
		must(t, err)
	}
	keeps(t, namespace, "kept")
	home := homeWith(t, "")
	_, kubeconfig := newRequests(t, namespace, "lab")
	editor := filepath.Join(home, "editor")
	must(t, os.WriteFile(editor, []byte("#!/bin/sh\nsed -i -e 's/team: blue/team: red/' -e 's/value: .*/value: hf_newsecret/' \"$1\"\n"), 0o700))
	e := openEmulated(t, home, kubeconfig, []string{"KUBE_EDITOR=" + editor})
	e.goes("jobs "+namespace+" /vit", "▌ vit")

	e.press("z")
	e.agrees("Suspend")
	became(t, namespace, "vit", true, "spec", "runPolicy", "suspend")
	e.press("E")
	e.shows("1 to 4", "Scale")
	e.reviewed()
	e.pressedAll("\x15", "3", "\t")
	e.agrees("Scale")
	became(t, namespace, "vit", int64(3), "spec", "pytorchReplicaSpecs", "Worker", "replicas")
	e.press("e")
	e.agrees("team: red")
	became(t, namespace, "vit", "red", "metadata", "labels", "team")
	e.goes("nodes /"+node, "▌ "+node)
	e.press("c")
	e.agrees("Cordon")
	must(t, cluster.Wait(t.Context(), screenPatience, func(ctx context.Context) error {
		found, err := cluster.Clients().CoreV1().Nodes().Get(ctx, node, metav1.GetOptions{})
		if err == nil && !found.Spec.Unschedulable {
			err = errors.New("the node takes pods")
		}
		return err
	}))
	e.goes("jobs "+namespace+" /kept", "▌ kept")
	e.press("\x04")
	e.agrees("Delete")
	e.shows("this job is kept")
	e.goes("jobs "+namespace+" /vit", "▌ vit")
	e.press("\x04")
	e.agrees("Delete")
	must(t, cluster.Wait(t.Context(), screenPatience, func(ctx context.Context) error {
		_, err := cluster.Objects().Resource(pyTorchJobs).Namespace(namespace).Get(ctx, "vit", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("vit is still there (%w)", err)
	}))

	path := filepath.Join(home, "traintop", "audit.jsonl")
	text := whole(t, path, 12)
	if strings.Contains(text, "hf_") {
		t.Errorf("a secret is recorded:\n%s", text)
	}
	checkRecord(t, text, namespace, []recordedChange{
		{"suspend", "PyTorchJob", "vit", "spec.runPolicy.suspend=true", "done", ""},
		{"scale", "PyTorchJob", "vit", "spec.pytorchReplicaSpecs.Worker.replicas=3", "done", ""},
		{"edit", "PyTorchJob", "vit", "metadata.labels.team", "done", ""},
		{"cordon", "Node", node, "spec.unschedulable=true", "done", ""},
		{"delete", "PyTorchJob", "kept", "delete", "failed", "this job is kept"},
		{"delete", "PyTorchJob", "vit", "delete", "done", ""},
	})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the record: %v, %v, want it to be its owner's alone", info.Mode(), err)
	}
}

// agrees waits for the question, in which Cancel is preset, and confirms.
func (e *emulated) agrees(question string) {
	e.t.Helper()
	e.shows(question, askedFirst)
	e.reviewed()
	e.pressedAll("\t", "\r")
}

// reviewed waits until the rights to a change were reviewed: until then the dialog has
// no button.
func (e *emulated) reviewed() {
	e.t.Helper()
	for late := time.Now().Add(screenPatience); strings.Contains(e.now(), "asking the API server"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(late) {
			e.t.Fatalf("the rights are still reviewed:\n%s", e.now())
		}
	}
}

// became waits until a field of a PyTorchJob has a value.
func became(t *testing.T, namespace, name string, want any, fields ...string) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), screenPatience, func(ctx context.Context) error {
		found, err := cluster.Objects().Resource(pyTorchJobs).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if value, _, err := unstructured.NestedFieldNoCopy(found.Object, fields...); err != nil || value != want {
			return fmt.Errorf("%s is %v, want %v (%w)", strings.Join(fields, "."), value, want, err)
		}
		return nil
	}))
}

// keeps waits until the API server refuses to delete a job.
func keeps(t *testing.T, namespace, name string) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), screenPatience, func(ctx context.Context) error {
		err := cluster.Objects().Resource(pyTorchJobs).Namespace(namespace).Delete(ctx, name, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil && strings.Contains(err.Error(), "this job is kept") {
			return nil
		}
		return fmt.Errorf("it may be deleted: %w", err)
	}))
}

// whole is a file once it has so many lines.
func whole(t *testing.T, path string, lines int) string {
	t.Helper()
	var text []byte
	must(t, cluster.Wait(t.Context(), screenPatience, func(context.Context) (err error) {
		text, err = os.ReadFile(path)
		if have := strings.Count(string(text), "\n"); err == nil && have != lines {
			err = fmt.Errorf("the record has %d lines, want %d:\n%s", have, lines, text)
		}
		return err
	}))
	return string(text)
}

// recordedChange is a change as its two lines should record it.
type recordedChange struct{ verb, kind, name, request, result, err string }

func checkRecord(t *testing.T, text, namespace string, want []recordedChange) {
	t.Helper()
	begun := map[string]auditLine{}
	var ended []auditLine
	for entry := range strings.Lines(text) {
		var line auditLine
		must(t, json.Unmarshal([]byte(entry), &line))
		if line.Result == "begun" {
			begun[line.ID] = line
			continue
		}
		ended = append(ended, line)
	}
	for i, line := range ended {
		first, w := begun[line.ID], want[i]
		if line.Verb != w.verb || line.Object.Kind != w.kind || line.Object.Name != w.name || line.Result != w.result ||
			!strings.Contains(line.Request, w.request) || !strings.Contains(line.Error, w.err) || (line.Error == "") != (w.err == "") {
			t.Errorf("change %d is recorded as %+v, want %+v", i, line, w)
		}
		if line.Context != "lab" || line.Object.UID == "" || w.kind != "Node" && line.Object.Namespace != namespace {
			t.Errorf("change %d: where it was made: %+v", i, line)
		}
		if first.Verb != line.Verb || first.Object != line.Object || first.Request != line.Request || first.Error != "" ||
			time.Since(first.Time) > time.Hour || line.Time.Before(first.Time) {
			t.Errorf("change %d begins with %+v and ends with %+v", i, first, line)
		}
	}
	if len(ended) != len(want) || len(begun) != len(want) {
		t.Errorf("%d changes begin and %d end, want %d", len(begun), len(ended), len(want))
	}
}
