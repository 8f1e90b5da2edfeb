package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFilesThatAreLeftOutAreNamed holds that every command names the files of a
// folder that it did not read.
func TestFilesThatAreLeftOutAreNamed(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"rank0.log": "step: 1 loss: 2.5\n", "notes": "buy milk\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"jobs", "diagnose", "gpus", "curves", "logs"} {
		if _, messages, _ := command(t, "", name, "--from", root); strings.Count(messages, "1 file left out: notes (text,") != 1 {
			t.Errorf("%s: %q", name, messages)
		}
	}
	for _, name := range []string{"jobs", "diagnose", "gpus", "curves"} {
		if out, _, _ := command(t, "", name, "-o", "json", "--from", root); strings.Count(out, "1 file left out: notes (text,") != 1 || !strings.Contains(out, `"problems"`) {
			t.Errorf("%s -o json: %s", name, out)
		}
	}
}

// TestEventsWithoutPods holds that events whose pods were not read are
// diagnosed however many they are.
func TestEventsWithoutPods(t *testing.T) {
	event := "- apiVersion: v1\n  kind: Event\n  metadata: {name: e%d, namespace: ml}\n  involvedObject: {kind: Pod, name: bert-worker-0, namespace: ml}\n  type: Warning\n  reason: FailedScheduling\n" +
		"  message: '0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: not helpful'\n  lastTimestamp: \"2026-11-20T08:10:00Z\"\n"
	for _, n := range []int{1, 6000} {
		var list strings.Builder
		list.WriteString("apiVersion: v1\nitems:\n")
		for i := range n {
			fmt.Fprintf(&list, event, i)
		}
		list.WriteString("kind: List\n")
		out, messages, code := command(t, list.String(), "diagnose", "--from", "-")
		if code != exitDone || !strings.Contains(out, "insufficient-gpu") {
			t.Errorf("%d events: exit %d\n%.500s%s", n, code, out, messages)
		}
	}
}

// TestOneLineOfJSONIsLaidOut holds that for an object in one line a finding
// shows the field that names the fault, not the whole object.
func TestOneLineOfJSONIsLaidOut(t *testing.T) {
	pod := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"bert-0","namespace":"ml","annotations":{"note":"` + strings.Repeat("x", 600) + `"}},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/2 nodes are available: 2 Insufficient nvidia.com/gpu."}]}}` + "\n"
	path := page(t, "pod.json", pod)
	for _, from := range []string{"-", path} {
		out, messages, code := command(t, pod, "diagnose", "--from", from)
		if code != exitDone || !strings.Contains(out, "insufficient-gpu") || strings.Contains(out, "apiVersion") || strings.Contains(out, "xxxx") {
			t.Errorf("%s: exit %d\n%s%s", from, code, out, messages)
		}
	}
}

// TestPartOfAnObjectHasNoVerdict holds that fields of an object which name no
// failure do not count as a log without faults.
func TestPartOfAnObjectHasNoVerdict(t *testing.T) {
	part := "  status:\n    conditions:\n    - type: Ready\n      status: \"True\"\n    phase: Running\n"
	out, messages, code := command(t, part, "diagnose", "--from", "-")
	if code != exitUnknown || strings.Contains(out, "Nothing wrong") || !strings.Contains(out, "a part of an object (status)") {
		t.Errorf("exit %d\n%s%s", code, out, messages)
	}
}

// TestObjectsOfNoJobAreCounted holds that objects of no training job are
// mentioned where there is nothing else.
func TestObjectsOfNoJobAreCounted(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\nstatus: {phase: Pending}\n"
	for _, name := range []string{"jobs", "diagnose"} {
		_, messages, _ := command(t, pod, name, "--from", "-")
		if !strings.Contains(messages, "What was read is no training job's: 1 Pod.") {
			t.Errorf("%s: %q", name, messages)
		}
	}
}

// TestJobsOfOtherNamespacesAreCounted holds that an answer about a namespace
// without jobs reports where there are some, and does not call them none.
func TestJobsOfOtherNamespacesAreCounted(t *testing.T) {
	job := "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a, namespace: ml}\nspec: {}\n"
	_, messages, _ := command(t, job, "jobs", "-n", "nope", "--from", "-")
	if !strings.Contains(messages, "Others were read: 1 in namespace ml.") || strings.Contains(messages, "no training job's") {
		t.Errorf("%q", messages)
	}
}

// TestUnknownLabelsAreSaid holds that a job whose object was not read may have the
// labels that are asked for, and that one whose object was read has them or not.
func TestUnknownLabelsAreSaid(t *testing.T) {
	const pod = `---
apiVersion: v1
kind: Pod
metadata: {name: lab-master-0, namespace: ml, uid: p, labels: {training.kubeflow.org/job-name: lab, training.kubeflow.org/replica-type: master, training.kubeflow.org/replica-index: "0"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: lab, uid: u, controller: true}]}
status: {phase: Failed}
`
	const job = `---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: lab, namespace: ml, uid: u, labels: {team: b}}
spec: {pytorchReplicaSpecs: {Master: {replicas: 1}}}
`
	other := strings.ReplaceAll(strings.Replace(job, "team: b", "team: a", 1), "lab, ", "other, ")
	for _, f := range []struct {
		objects, args string
		code          int
		unknown       bool
	}{
		{pod, "jobs -l team=a", exitUnknown, true},
		{pod, "jobs -o json -l team=a", exitUnknown, true},
		{pod, "diagnose -l team=a", exitUnknown, true},
		{pod, "diagnose lab -l team=a", exitUnknown, true},
		{pod, "jobs -l team=a -n elsewhere", exitDone, false},
		{pod + other, "jobs -l team=a", exitDone, true},
		{pod + other, "jobs -o json -l team=a", exitDone, true},
		{pod + job, "jobs -l team=a", exitDone, false},
		{pod + job, "diagnose lab -l team=a", exitFailed, false},
		{pod, "jobs -l team!=a", exitDone, true},
		{pod, "jobs -o json -l !team", exitDone, true},
		{pod, "diagnose -l team", exitUnknown, true},
		{pod, "diagnose -l !team", exitUnknown, true},
		{pod, "jobs -l team!=a,x=y", exitUnknown, true},
		{pod + job, "jobs -l team!=a", exitDone, false},
		{pod, "jobs", exitDone, false},
	} {
		out, messages, code := command(t, f.objects, append(strings.Fields(f.args), "--from", "-")...)
		if said := out + messages; code != f.code || strings.Contains(said, "labels are not known") && !f.unknown || f.unknown && !strings.Contains(said, "labels are not known") {
			t.Errorf("%s: exit %d\n%s", f.args, code, said)
		}
	}
}
