package dump

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// readText reads a text as diagnose does, and returns the health of its file.
func readText(t *testing.T, text string) (train.Health, *Files) {
	t.Helper()
	path := write(t, "input.txt", text)
	files := New([]string{path}, Options{})
	files.TakeTexts()
	h := newHeard()
	_ = files.Run(t.Context(), h) // the run may read nothing, as intended
	return h.health["file "+path], files
}

// TestTextsThatAreNoLogAreReported checks that a text that is not a log is a
// problem if it names no failure.
func TestTextsThatAreNoLogAreReported(t *testing.T) {
	for text, why := range map[string]string{
		"  status:\n    conditions:\n    - lastTransitionTime: \"2026-11-20T08:50:00Z\"\n      type: Ready\n":                    "a part of an object (status)",
		"      volumeMounts:\n      - mountPath: /data\n        name: data\n    restartPolicy: Never\n    nodeName: a\n":         "a part of an object (restartPolicy, nodeName)",
		"spec:\n  containers:\n  - name: a\n    image: b\n":                                                                      "a part of an object (spec)",
		"        \"status\": {\n            \"conditions\": [\n                {\n                }\n            ]\n        }\n": "a part of an object (status)",
		"metadata:\n  name: a\nspec:\n  containers:\n  - name: a\n":                                                              "a part of an object (metadata, spec)",
		"{\n  // core\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Pod\",\n  \"status\": {\"phase\": \"Failed\"}\n}\n":              "looks like an object, and is neither valid JSON nor valid YAML",
		"{}\n":                                  "JSON without apiVersion and kind",
		"No resources found in ml namespace.\n": "kubectl printed this instead of what it was asked for",
		"error: the server doesn't have a resource type \"pytorchjobs\"\n":     "kubectl printed this instead of what it was asked for",
		"Unable to connect to the server: EOF\n":                               "kubectl printed this instead of what it was asked for",
		"{'apiVersion': 'v1', 'kind': 'Pod', 'status': {'phase': 'Failed'}}\n": "holds an object that was not read",
		"Hi\n\n    apiVersion: v1\n    kind: Pod\n\nbye, it hangs\n":           "holds an object that was not read",
		"# nothing\n---\n": "nothing but comments",
		"$ kubectl get pods\nNAME     READY   STATUS    RESTARTS   AGE\nbert-0   0/1     Pending   0          5m\n": "a table of kubectl get",
		"Warning: v1 Endpoints is deprecated\nName:             bert-0\nNamespace:        ml\n":                     "the text of kubectl describe",
		"bert-0   0/1     Pending   0          5m\nbert-1   1/1     Running   2 (3m ago)   5m\n":                    "a table of kubectl get",
		"replicas: 3\nresources:\n  limits:\n    nvidia.com/gpu: 8\n":                                               "a part of an object (replicas, resources)",
		"apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nstatus: Failed\n":                                    "status is text, not an object",
		"<html><body>403</body></html>\n":                                                                           "a web page",
		"NAME     READY   STATUS    RESTARTS   AGE\nbert-0   0/1     Pending   0          5m\n":                     "a table of kubectl get",
		"Name:             bert-0\nNamespace:        ml\nStatus:           Pending\n":                               "the text of kubectl describe",
	} {
		if h, _ := readText(t, text); h.State != train.SourceFailed || !strings.Contains(h.Text, why) {
			t.Errorf("%.40q: health is %+v, want ...%s...", text, h, why)
		}
	}
}

// TestFlightRecordIsALog checks that the lines that a flight record became are a log.
func TestFlightRecordIsALog(t *testing.T) {
	for _, name := range []string{"json", "behind"} {
		text, err := os.ReadFile("../flightrecord/testdata/" + name + "/nccl_trace_rank_0")
		if err != nil {
			t.Fatal(err)
		}
		if h, _ := readText(t, string(text)); h.State != train.SourceRead || !strings.HasSuffix(h.Text, ": 1 log") {
			t.Errorf("%s: health is %+v", name, h)
		}
	}
}

// TestLogsAreNoPartsOfObjects checks that logs with settings, and with earlier
// kubectl output, stay logs.
func TestLogsAreNoPartsOfObjects(t *testing.T) {
	for _, text := range []string{
		"step: 1 loss: 2.5\nstep: 2 loss: 2.4\n",
		"lr: 0.1\nbatch_size: 8\nmodel:\n  name: bert\n  layers: 12\n",
		"spec: fast\nstatus: begun\n2026-11-20 step 1\n2026-11-20 step 2\n2026-11-20 step 3\n",
		"error: could not load the checkpoint\nstep 1 loss 2.5\n",
		"- a\n- b\n", "error: could not load the checkpoint\n", "# epoch 1 begins\nstep 1\n",
		"applied {'apiVersion': 'v1', 'kind': 'Pod'}\nstep: 1 loss: 2.5\n",
	} {
		if h, _ := readText(t, text); h.State != train.SourceRead {
			t.Errorf("%.40q: health is %+v", text, h)
		}
	}
}

// TestTableBesideObjectsIsNoProblem checks that a table's missing fields do
// not matter if there are objects.
func TestTableBesideObjectsIsNoProblem(t *testing.T) {
	root := folderOf(t, map[string]string{"pods.yaml": podNamed("a"), "pods.txt": "NAME   READY   STATUS\na      1/1     Running\n"})
	files := New([]string{root}, Options{})
	files.TakeTexts()
	h := newHeard()
	if err := files.Run(t.Context(), h); err != nil || h.health["file "+root].State != train.SourceRead {
		t.Errorf("health is %+v, error %v", h.health, err)
	}
}

// TestTextAroundObjectsIsReported checks that text outside of fences is reported.
func TestTextAroundObjectsIsReported(t *testing.T) {
	_, files := readText(t, "Hi, my job hangs.\n```yaml\n"+podNamed("a")+"```\nThanks!\n")
	left := files.Summary().LeftOut
	if len(left) != 1 || !strings.Contains(left[0].Text, `2 lines around the objects were not read ("Hi, my job hangs.")`) {
		t.Errorf("left out: %v", left)
	}
}

// TestSettingsInAFolderAreLeftOut checks that settings beside objects are
// reported without being a problem, and that a file named like a log that is
// not one is a problem.
func TestSettingsInAFolderAreLeftOut(t *testing.T) {
	root := folderOf(t, map[string]string{
		"pods.yaml": podNamed("a"), "notes.md": "# what happened\n", "values.yaml": "replicas: 3\nimage: x\n",
		"more.json": "{\"layers\": 12}\n", "config.json": "{\n \"layers\": 12,\n \"heads\": 8\n}\n",
	})
	read := func() (train.Health, *Files) {
		files := New([]string{root}, Options{})
		files.TakeTexts()
		h := newHeard()
		_ = files.Run(t.Context(), h) // the health has the result
		return h.health["file "+root], files
	}
	health, files := read()
	if left := files.Summary().LeftOut; health.State != train.SourceRead || len(left) != 1 || len(files.Summary().Problems) > 0 || !strings.Contains(left[0].Text, "4 files left out: config.json (JSON without apiVersion and kind") {
		t.Errorf("health is %+v, left out %v, problems %v", health, left, files.Summary().Problems)
	}
	if err := os.WriteFile(filepath.Join(root, "rank0.log"), []byte("No resources found\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, files = read(); len(files.Summary().Problems) != 1 || !strings.Contains(files.Summary().Problems[0].String(), "kubectl printed this") {
		t.Errorf("problems are %v", files.Summary().Problems)
	}
}

// TestNoLifeBeforeIsNoProblem checks that nothing is missing where kubectl logs --previous
// was asked for a container that was never restarted, whether its answer was saved or not,
// and that an answer of another kind is missed.
func TestNoLifeBeforeIsNoProblem(t *testing.T) {
	const answer = "Error from server (BadRequest): previous terminated container \"pytorch\" in pod \"a\" not found\n"
	for _, f := range []struct {
		name, text string
		missing    bool
	}{
		{"a-previous.log", answer, false},
		{"a-previous.log", "", false},
		{"a.log.previous", "", false},
		{"ml/pods/a/pytorch/pytorch/logs/previous.log", "", false},
		{"a-all.log", answer + strings.ReplaceAll(answer, "pytorch", "shipper"), false},
		{"a-previous.log", "Error from server (NotFound): pods \"a\" not found\n", true},
		{"a-previous.log", answer + "Error from server (NotFound): pods \"b\" not found\n", true},
	} {
		root := folderOf(t, map[string]string{"pods.yaml": podNamed("a"), f.name: f.text})
		for _, paths := range [][]string{{root}, {filepath.Join(root, "pods.yaml"), filepath.Join(root, f.name)}} {
			files := New(paths, Options{})
			files.TakeTexts()
			h := newHeard()
			err := files.Run(t.Context(), h)
			failed := false
			for _, health := range h.health {
				failed = failed || health.State != train.SourceRead
			}
			if s := files.Summary(); err != nil || failed != f.missing || f.missing != (len(s.Problems) > 0) {
				t.Errorf("%s %.40q as %d paths: problems %v, health %v, error %v", f.name, f.text, len(paths), s.Problems, h.health, err)
			}
		}
	}
}

// TestNoLifeBeforeAloneIsTooLittle checks that such an answer is a problem where nothing
// else was given.
func TestNoLifeBeforeAloneIsTooLittle(t *testing.T) {
	h, _ := readText(t, "Error from server (BadRequest): previous terminated container \"c\" in pod \"a\" not found\n")
	if h.State != train.SourceFailed || !strings.Contains(h.Text, noLifeAlone) {
		t.Errorf("health is %+v", h)
	}
}

// TestFilesThatHideObjectsAreProblems checks that a file of a folder with
// unread objects, or an error of kubectl, does not count as a file of another
// type.
func TestFilesThatHideObjectsAreProblems(t *testing.T) {
	object := "Hi\n\n    apiVersion: v1\n    kind: Pod\n\nbye, it hangs\n"
	for _, f := range []struct {
		name, text string
		hides      bool
	}{
		{"jobs.yaml", "Error from server (Forbidden): pytorchjobs.kubeflow.org is forbidden\n", true},
		{"jobs.yaml", object, true},
		{"jobs.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n : [\n", true},
		{"jobs.yaml", "No resources found in ml namespace.\n", false},
		{"jobs.yaml", "error: the server doesn't have a resource type \"pytorchjobs\"\n", false},
		{"README.md", object, false},
		{"train.py", "job = {'apiVersion': 'v1', 'kind': 'Pod'}\n", false},
		{"values.yaml", "replicas: 3\nresources:\n  limits:\n    nvidia.com/gpu: 8\n", false},
	} {
		root := folderOf(t, map[string]string{"pods.yaml": podNamed("a"), f.name: f.text})
		files := New([]string{root}, Options{})
		h := newHeard()
		_ = files.Run(t.Context(), h)
		if hides := len(files.Summary().Problems) > 0; hides != f.hides {
			t.Errorf("%s %q: a problem is %v, health is %+v", f.name, f.text, hides, h.health)
		}
	}
}

// TestAnswersInsteadOfALogAreNotItsLines checks that what kubectl or the kubelet
// printed instead of a log is no line of that log, and that a log which goes on
// after it is read.
func TestAnswersInsteadOfALogAreNotItsLines(t *testing.T) {
	for text, read := range map[string]bool{
		"Error from server (NotFound): pods \"a-worker-0\" not found\n":                                                                                            false,
		"Error from server (Forbidden): pods \"a\" is forbidden: User \"u\" cannot get resource \"pods/log\"\n":                                                    false,
		"Defaulted container \"a\" out of: a, b\nError from server: Get \"https://10.0.0.5:10250/containerLogs/ml/a/a\": i/o timeout\n":                            false,
		"error: You must be logged in to the server (Unauthorized)\n":                                                                                              false,
		"failed to try resolving symlinks in path \"/var/log/pods/ml_a/a/0.log\": lstat: no such file or directory\n":                                              false,
		"unable to retrieve container logs for containerd://abc":                                                                                                   false,
		"Error from server (NotFound): pods \"a-worker-0\" not found\nmpirun was unable to start the specified application\n":                                      true,
		"Error from server (Forbidden): error when creating \"job.yaml\": pods \"a\" is forbidden: exceeded quota: q, requested: cpu=1\n":                          true,
		"error: resource mapping not found for name: \"a\" namespace: \"\" from \"job.yaml\": no matches for kind \"PyTorchJob\" in version \"kubeflow.org/v1\"\n": true,
		"bash: kubectl: command not found\n": true,
	} {
		for way, o := range map[string]Options{"file": {}, "standard input": {Stdin: strings.NewReader(text)}} {
			path := "-"
			if o.Stdin == nil {
				path = write(t, "rank0.log", text)
			}
			lines, failed := readLog(t, path, o)
			if (lines > 0) != read || failed == read {
				t.Errorf("%s: %.60q: %d lines, failed %t", way, text, lines, failed)
			}
		}
	}
}

// logSink counts the lines of logs, and notes whether one could not be read.
type logSink struct {
	mu     sync.Mutex
	lines  int
	failed bool
}

// Apply implements sources.Sink.
func (l *logSink) Apply(events ...store.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range events {
		switch e := event.(type) {
		case store.Logged:
			l.lines += len(e.Lines)
		case store.StreamChanged:
			l.failed = l.failed || e.Status.State == train.StreamFailed
		}
	}
}

func readLog(t *testing.T, path string, o Options) (lines int, failed bool) {
	t.Helper()
	var sink logSink
	_ = New([]string{path}, o).Run(t.Context(), &sink) // the sink has the result
	return sink.lines, sink.failed
}

// TestEventsOfUnreadPods checks that events of pods are a table in a second reading, if no pod
// was read and one of them warns; events of other objects only where nothing else was read.
func TestEventsOfUnreadPods(t *testing.T) {
	event := func(kind, reason, message string) string {
		return "---\napiVersion: v1\nkind: Event\nmetadata: {name: " + strings.ToLower(reason) + ", namespace: ml}\ninvolvedObject: {kind: Pod, name: run-worker-2, namespace: ml}\nlastTimestamp: \"2026-11-20T11:40:00Z\"\ntype: " + kind + "\nreason: " + reason + "\nmessage: " + message + "\n"
	}
	const killed, evicted = "Stopping container main", "The node was low on resource"
	const head = "NAMESPACE   LAST-SEEN   TYPE   REASON   OBJECT   MESSAGE|"
	ofConfig := strings.ReplaceAll(event("Warning", "Evicted", evicted), "kind: Pod", "kind: ConfigMap")
	for text, want := range map[string]string{
		event("Normal", "Killing", killed) + event("Warning", "Evicted", evicted): head + "ml   0s   Normal   Killing   pod/run-worker-2   Stopping container main|ml   0s   Warning   Evicted   pod/run-worker-2   The node was low on resource|",
		event("Normal", "Killing", killed):                                        "",
		event("Warning", "Evicted", evicted) + "---\n" + podNamed("other"):        "",
		ofConfig: head + "ml   0s   Warning   Evicted   configmap/run-worker-2   The node was low on resource|",
		ofConfig + "---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n": "",
	} {
		_, files := readText(t, text)
		s, lines := store.New(time.Now), ""
		ran := files.RunEvents(t.Context(), s)
		s.Snapshot().Logs(func(log *store.Log) bool {
			for i := range log.Lines.Len() {
				lines += log.Lines.At(i).Text + "|"
			}
			return true
		})
		if lines != want || ran != (want != "") {
			t.Errorf("%s: %t %q", text, ran, lines)
		}
	}
}

// TestRowsOfEventsBesideObjects checks that rows of a table of events about objects that were
// read are their events, and that the other rows stay a text.
func TestRowsOfEventsBesideObjects(t *testing.T) {
	const head = "NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT         MESSAGE\n"
	const pods = "ml          2m (x3 over 1h)   Warning   Failed    pod/bert-0     Failed to pull image \"a:1\": not found\n"
	const nodes = "default     90s         Warning   GpuXid    node/gpu-6     NVRM: Xid (PCI:0000:5d:00): 79\n"
	const others = "ml          5m          Warning   Evicted   pod/gone-0     The node was low on resource: memory.\n"
	const objects = "apiVersion: v1\nkind: Pod\nmetadata: {name: bert-0, namespace: ml, uid: u1, creationTimestamp: \"2026-11-20T12:00:00Z\"}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: gpu-6}\n"
	for _, c := range []struct{ table, objects, events, text string }{
		{head + pods + nodes, objects, "bert-0 Failed 11:58:00 x3, gpu-6 GpuXid 11:58:30 x1", ""},
		{head + pods + others, objects, "bert-0 Failed 11:58:00 x3", head + "\n" + others},
		{head + others, objects, "", head + others},
		{head + pods, "apiVersion: v1\nkind: Node\nmetadata: {name: gpu-5, creationTimestamp: \"2026-11-20T12:00:00Z\"}\n", "", head + pods},
	} {
		folder := tree(t, map[string]string{"objects.yaml": c.objects, "events.txt": c.table}, nil)
		files := New([]string{folder}, Options{})
		files.TakeTexts()
		s := store.New(time.Now)
		if err := files.Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		var events []string
		s.Snapshot().Events(func(e *corev1.Event) bool {
			events = append(events, fmt.Sprintf("%s %s %s x%d", e.InvolvedObject.Name, e.Reason, e.LastTimestamp.UTC().Format(time.TimeOnly), e.Count))
			return true
		})
		slices.Sort(events)
		text := ""
		s.Snapshot().Logs(func(log *store.Log) bool {
			for i := range log.Lines.Len() {
				text += log.Lines.At(i).Text + "\n"
			}
			return true
		})
		if got := strings.Join(events, ", "); got != c.events || text != c.text {
			t.Errorf("%q: %q, %q", c.table, got, text)
		}
	}
}
