package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose"
)

func diagnosed(t *testing.T, stdin string, args ...string) diagnosisAnswer {
	t.Helper()
	out, messages, code := command(t, stdin, append([]string{"diagnose", "-o", "json"}, args...)...)
	var got diagnosisAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, out)
	}
	if want := map[bool]int{true: exitUnknown, false: exitDone}[got.Verdict == diagnose.NotEnoughRead]; code != want {
		t.Fatalf("exit %d, want %d: %s", code, want, messages)
	}
	return got
}

// Texts that people paste: tables and descriptions of kubectl 1.30, a message
// of a tool.
const (
	pastedDescribe = "Name:             bert-worker-0\nNamespace:        ml\nStatus:           Pending\nEvents:\n  Type     Reason            Age   From               Message\n  ----     ------            ----  ----               -------\n" +
		"  Warning  FailedScheduling  38s   default-scheduler  0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.\n"
	pastedPods = "NAME            READY   STATUS             RESTARTS   AGE\nbert-worker-0   0/1     ImagePullBackOff   0          13m\n"
	smiMessage = "Failed to initialize NVML: Driver/library version mismatch\n"
)

func TestDiagnoseOfPastedText(t *testing.T) {
	f := func(want, text string) {
		t.Helper()
		for _, got := range []diagnosisAnswer{diagnosed(t, "", "--from", page(t, "pasted.txt", text)), diagnosed(t, text, "--from", "-")} {
			if want == "" && len(got.Findings) == 0 || len(got.Findings) > 0 && string(got.Findings[0].Cause) == want {
				continue
			}
			t.Errorf("%q: %+v, want %s", text, got.Findings, want)
		}
	}
	f("node-selector-mismatch", pastedDescribe)
	f("image-not-found", pastedPods)
	f("", "step 1 loss 2.5\nstep 2 loss 2.4\n")
	if got := diagnosed(t, "", "--from", page(t, "smi.txt", smiMessage)); len(got.Findings) == 0 || got.Findings[0].Cause != "cuda-driver-mismatch" {
		t.Errorf("%+v", got.Findings)
	}
}

// TestDiagnoseOfObjectsAlone holds that objects of no job are read as the text
// that a person pasted.
func TestDiagnoseOfObjectsAlone(t *testing.T) {
	f := func(want, text string) {
		t.Helper()
		for way, got := range map[string]diagnosisAnswer{
			"file": diagnosed(t, "", "--from", page(t, "objects.yaml", text)), "standard input": diagnosed(t, text, "--from", "-"),
		} {
			if (want != "" || len(got.Findings) > 0) && (len(got.Findings) == 0 || string(got.Findings[0].Cause) != want) {
				t.Errorf("%s: %s\n%+v, want %s", way, text, got.Findings, want)
			}
		}
	}
	pod := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: train-0\n  namespace: ml\nspec:\n  containers:\n  - {name: a, image: b}\n  tolerations:\n  - {key: node.kubernetes.io/unreachable, operator: Exists}\nstatus:\n"
	f("insufficient-gpu", pod+"  phase: Pending\n  conditions:\n  - type: PodScheduled\n    status: \"False\"\n    reason: Unschedulable\n    message: '0/3 nodes are available: 3 Insufficient\n      nvidia.com/gpu.'\n")
	f("", pod+"  phase: Running\n  containerStatuses:\n  - {name: a, image: b, ready: true, restartCount: 0, lastState: {}, state: {running: {}}}\n")
	f("", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata:\n  notes: |\n    reason: OOMKilled\n")
	f("kueue-inadmissible", "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: cq}\nstatus:\n  conditions:\n  - type: Active\n    status: \"False\"\n    reason: FlavorNotFound\n    message: \"Can't admit new workloads: references missing ResourceFlavor(s): h100.\"\n")
	event := func(about, reason, message string) string {
		return "apiVersion: v1\nkind: Event\nmetadata: {name: a, namespace: ml}\ninvolvedObject: {" + about + ", namespace: ml}\ntype: Warning\nreason: " + reason + "\nmessage: '" + message + "'\nlastTimestamp: \"2026-06-11T10:00:00Z\"\n"
	}
	f("sigkill-received", event("kind: TrainerRun, name: bert", "ExitedWithCode", "Pod: ml.bert-worker-1 exited with code 137"))
	f("spot-interruption", event("kind: NodeClaim, name: gpu-1", "InstanceTerminating", "Instance is terminating"))
	f("", event("kind: NodeClaim, name: gpu-1", "InstanceSettled", "Instance is settled"))
	f("oom-killed", "status:\n  containerStatuses:\n  - name: a\n    lastState:\n      terminated:\n        exitCode: 137\n        reason: OOMKilled\n")
	f("oom-killed", `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},`+"\n"+`"status": {"containerStatuses": [{"name": "a", "lastState": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}}`)
}

func TestDiagnoseNamesTheRank(t *testing.T) {
	first, other := page(t, "a.log", "step 1 loss 2.5\nRuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB\n"), page(t, "b.log", "step 1 loss 2.5\n")
	got := diagnosed(t, "", "--from", "3="+first, "--from", "0="+other)
	if len(got.Findings) != 1 || got.Findings[0].RootRank == nil || *got.Findings[0].RootRank != 3 {
		t.Errorf("%+v", got.Findings)
	}
}

func TestDiagnoseAsText(t *testing.T) {
	out, messages, code := command(t, "", "diagnose", "--from", page(t, "train.log", "RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB\n"))
	if code != exitDone || !strings.Contains(out, "cuda-out-of-memory, error") || !strings.Contains(out, "train.log:1: RuntimeError: CUDA out of memory") {
		t.Errorf("exit %d\n%s%s", code, out, messages)
	}
	if _, _, code := command(t, "", "diagnose", "-o", "xml"); code != exitUsage {
		t.Errorf("an output format that is none: exit %d", code)
	}
}

// TestObjectsThatWereReadAreNoText holds that a dump with one bad spot, and
// nodes alone, are not read as prose: a cordoned node fails no job.
func TestObjectsThatWereReadAreNoText(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-0}\nspec:\n  unschedulable: true\nstatus: {}\n"
	const job = "---\napiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: bert, namespace: ml}\nspec: {pytorchReplicaSpecs: {Master: {replicas: 1}}}\nstatus: {conditions: [{type: Running, status: \"True\"}]}\n"
	for name, text := range map[string]string{
		"an error of kubectl": node + job + "Error from server (Forbidden): pods is forbidden: User \"u\" cannot list resource \"pods\"\n",
		"an unreadable pod":   node + job + "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml}\nstatus: Failed\n",
		"nodes alone":         node,
	} {
		out, messages, code := command(t, "", "diagnose", "--from", page(t, "dump.yaml", text))
		if strings.Contains(out, "Log/") || strings.Contains(out, "node-unschedulable") || strings.Contains(out, "Verdict: cause found") {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, messages)
		}
	}
}

// TestKubectlsAnswerNamesNoCause holds that what kubectl printed instead of the
// log of a failed rank is no cause of its failure.
func TestKubectlsAnswerNamesNoCause(t *testing.T) {
	for _, text := range []string{
		"Error from server (Forbidden): pods \"a\" is forbidden: User \"u\" cannot get resource \"pods/log\" in API group \"\"\n",
		"Error from server (NotFound): pods \"bert-worker-0\" not found\n",
	} {
		out, messages, code := command(t, "", "diagnose", "--from", page(t, "rank0.log", text))
		if code != exitUnknown || !strings.Contains(out, "kubectl printed this instead") || strings.Contains(out, "cause found") {
			t.Errorf("exit %d\n%s%s", code, out, messages)
		}
	}
}

// Jobs that neither the namespace nor the labels take in are not read as text.
func TestDiagnoseOfOtherJobsOnly(t *testing.T) {
	for _, filter := range [][]string{{"-n", "nosuch"}, {"-l", "a=b"}} {
		out, messages, code := command(t, "", append([]string{"diagnose", "--from", page(t, "dump.yaml", failedJob)}, filter...)...)
		if code != exitDone || out != "" || !strings.Contains(messages, "nothing to look at") || !strings.Contains(messages, "Others were read: 1 in namespace ml") {
			t.Errorf("%v: exit %d: %q %q", filter, code, out, messages)
		}
	}
}

// Of a folder of logs a rank that has none, and one whose log ends before the
// others, keep the answer from "nothing wrong".
func TestDiagnoseOfLogsThatAreUneven(t *testing.T) {
	steps := func(n int) string {
		text := ""
		for i := range n {
			text += fmt.Sprintf("2026-11-20 08:%02d:%02d step: %d loss: %.3f\n", i/6, i%6*10, i+1, 3-float64(i)/200)
		}
		return text
	}
	whole := map[string]string{"rank0.log": steps(300), "rank1.log": steps(300), "rank2.log": steps(300), "rank3.log": steps(300)}
	for name, c := range map[string]struct {
		change  func(map[string]string)
		verdict diagnose.Verdict
		missing string
	}{
		"all are whole":  {func(map[string]string) {}, diagnose.NothingWrong, ""},
		"one is missing": {func(files map[string]string) { delete(files, "rank2.log") }, diagnose.NotEnoughRead, "no log of rank 2 was given"},
		"one is empty":   {func(files map[string]string) { files["rank3.log"] = "" }, diagnose.NotEnoughRead, "the log of rank 3 is empty, while those of others have steps"},
		"one prints for all": {func(files map[string]string) {
			files["rank1.log"], files["rank2.log"], files["rank3.log"] = "", "", ""
		}, diagnose.NothingWrong, ""},
		"one ends early": {func(files map[string]string) { files["rank2.log"] = steps(90) }, diagnose.NotEnoughRead, "the log of rank 2 ends at step 90, and the others go on to 300"},
	} {
		files := maps.Clone(whole)
		c.change(files)
		got := diagnosed(t, "", "--from", logsIn(t, files))
		text, err := json.Marshal(got.Verdicts)
		if err != nil {
			t.Fatal(err)
		}
		if got.Verdict != c.verdict || !strings.Contains(string(text), c.missing) {
			t.Errorf("%s: %s: %s", name, got.Verdict, text)
		}
	}
}

// bothRanksRun is failedJob as it was while its two ranks ran.
func bothRanksRun() string {
	running := strings.NewReplacer("phase: Failed", "phase: Running", "ready: false", "ready: true").Replace(failedJob)
	running = running[:strings.Index(running, "status:")] + `status: {replicaStatuses: {Worker: {active: 2}}, conditions: [{type: Running, status: "True"}]}` + "\n"
	for _, index := range []string{"0", "1"} {
		running += strings.NewReplacer("worker-1", "worker-"+index, `index: "1"`, `index: "`+index+`"`, "uid: pod-1", "uid: pod-"+index,
			`{phase: Failed, containerStatuses: [{name: pytorch, restartCount: 0, state: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-11-20T09:58:00Z"}}}]}`,
			`{phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{name: pytorch, ready: true, restartCount: 0, state: {running: {startedAt: "2026-11-20T09:00:09Z"}}}]}`).Replace(podWithRank)
	}
	return running
}

// Pods that hold GPUs after their job succeeded are shown in the list of jobs too.
func TestJobsSayThatPodsHoldGPUsAfterTheEnd(t *testing.T) {
	over := strings.Replace(bothRanksRun(), `conditions: [{type: Running, status: "True"}]`, `completionTime: "2026-11-20T09:10:00Z", conditions: [{type: Succeeded, status: "True", lastTransitionTime: "2026-11-20T09:10:00Z"}]`, 1)
	over = strings.ReplaceAll(over, "image: a}]", `image: a, resources: {limits: {nvidia.com/gpu: "8"}}}]`)
	out, said, code := command(t, "", "jobs", "--from", logsIn(t, map[string]string{"dump.yaml": over + "---\n" + laterEvent}))
	if code != exitDone || !strings.Contains(out, "Succeeded") || !strings.Contains(out, "of its pods still exist and hold ") {
		t.Errorf("exit %d: %s%s", code, out, said)
	}
}

// The log of a rank that runs, kept in a file, keeps the job from being well
// where it ends with an error that no rule knows.
func TestDiagnoseOfAJobWhoseLogEndsBadly(t *testing.T) {
	running := bothRanksRun()
	for end, want := range map[string]diagnose.Verdict{"": diagnose.NothingWrong, "Process exited with status 1\n": diagnose.NotEnoughRead} {
		got := diagnosed(t, "", "--from", logsIn(t, map[string]string{"dump.yaml": running, "bert-worker-0.log": "step 1 loss 2.5\n", "bert-worker-1.log": "step 1 loss 2.5\n" + end}))
		if got.Verdict != want {
			t.Errorf("%q: %s %+v", end, got.Verdict, got.Verdicts)
		}
	}
}

// The journal of a node beside the objects is no job where it only has the words that a job's finding quotes.
func TestTheJournalThatAJobQuotes(t *testing.T) {
	const objects = `apiVersion: v1
kind: List
items:
- {apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: bert, namespace: ml, uid: j, creationTimestamp: "2026-11-20T09:00:00Z"}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 1}}}, status: {conditions: [{type: Failed, status: "True", lastTransitionTime: "2026-11-20T11:41:00Z"}]}}
- apiVersion: v1
  kind: Pod
  metadata: {name: bert-worker-0, namespace: ml, uid: p, creationTimestamp: "2026-11-20T09:00:00Z", labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/operator-name: pytorchjob-controller, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: j, controller: true}]}
  spec: {nodeName: gpu-6, containers: [{name: pytorch, image: x}]}
  status: {phase: Failed, startTime: "2026-11-20T09:00:00Z", containerStatuses: [{name: pytorch, state: {terminated: {exitCode: 1, reason: Error, startedAt: "2026-11-20T09:00:00Z", finishedAt: "2026-11-20T11:40:00Z"}}}]}
- {apiVersion: v1, kind: Node, metadata: {name: gpu-6}, status: {conditions: [{type: Ready, status: "True"}]}}
`
	const xid = "2026-11-20T11:39:59.000000+00:00 gpu-6 kernel: NVRM: Xid (PCI:0000:5d:00): 79, pid=2211, name=python, GPU has fallen off the bus.\n"
	dump := page(t, "objects.yaml", objects)
	for name, c := range map[string]struct {
		journal string
		jobs    int
	}{
		"its node":     {xid, 1},
		"another node": {strings.ReplaceAll(xid, "gpu-6", "gpu-9"), 2},
		"and a second": {xid + "2026-11-20T11:50:00.000000+00:00 gpu-6 kernel: Out of memory: Killed process 4711 (etcd) total-vm:1kB, anon-rss:1kB\n", 2},
	} {
		out, _, _ := command(t, "", "diagnose", "-o", "json", "--from", dump, "--from", page(t, "journal.log", c.journal))
		var got diagnosisAnswer
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatal(err)
		}
		of := map[string]bool{}
		for _, f := range got.Findings {
			of[f.Job] = true
		}
		if len(of) != c.jobs {
			t.Errorf("%s: findings of %v, want those of %d jobs", name, slices.Sorted(maps.Keys(of)), c.jobs)
		}
	}
}
