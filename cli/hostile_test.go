package cli

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/termtext/corpus"
)

// hostileFiles is a cluster in which each text of the corpus is a job of its
// own: in every name, label, reason and message, in its logs and in the labels
// of its GPU.
func hostileFiles(t *testing.T, texts []corpus.Text) (from []string) {
	t.Helper()
	folder := t.TempDir()
	write := func(name string, content []byte) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		from = append(from, "--from", path)
	}
	var objects []any
	var log, page strings.Builder
	page.WriteString("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n")
	for i, c := range texts {
		objects = append(objects, hostileJob(i, c.Text)...)
		fmt.Fprintf(&log, "step %d loss 0.%d %s\nRuntimeError: CUDA out of memory. %s\n", i, i+1, strings.ReplaceAll(c.Text, "\n", " "), strings.ReplaceAll(c.Text, "\n", " "))
		label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(c.Text, "?"))
		fmt.Fprintf(&page, "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",UUID=\"GPU-%d\",modelName=\"%s\",Hostname=\"n%d%s\",pod=\"%s\",namespace=\"ml\"} 5\n", i, i, label, i, label, label)
	}
	list, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	if err != nil {
		t.Fatal(err)
	}
	write("objects.json", list)
	write("rank0.log", []byte(log.String()))
	write("node.prom", []byte(page.String()))
	return from
}

func hostileJob(i int, text string) []any {
	name := fmt.Sprintf("j%d-%s", i, text)
	meta := func(kind string) map[string]any {
		return map[string]any{"name": name + kind, "namespace": "ml" + text, "uid": fmt.Sprintf("u%d%s", i, kind), "labels": map[string]any{
			"kueue.x-k8s.io/queue-name": text, "training.kubeflow.org/job-name": name, "training.kubeflow.org/replica-type": "worker",
		}, "annotations": map[string]any{"note": text}}
	}
	pod := meta("-worker-0")
	pod["ownerReferences"] = []any{map[string]any{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "name": name, "uid": fmt.Sprintf("u%d", i), "controller": true}}
	waiting := map[string]any{"reason": "ErrImagePull", "message": "rpc error: manifest for " + text + " not found"}
	return []any{
		map[string]any{
			"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": meta(""),
			"spec":   map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker" + text: map[string]any{"replicas": 1}}},
			"status": map[string]any{"conditions": []any{map[string]any{"type": "Failed", "status": "True", "reason": text, "message": text}}},
		},
		map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": pod,
			"spec": map[string]any{"nodeName": "n" + text, "containers": []any{map[string]any{"name": "pytorch", "image": text, "resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "1"}}}}},
			"status": map[string]any{"phase": "Pending", "reason": text, "message": text, "conditions": []any{map[string]any{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes are available: " + text}},
				"containerStatuses": []any{map[string]any{"name": "pytorch", "image": text, "state": map[string]any{"waiting": waiting}}}},
		},
		map[string]any{
			"apiVersion": "v1", "kind": "Event", "metadata": meta("-event"), "type": "Warning", "reason": "FailedMount" + text, "message": "MountVolume.SetUp failed: " + text,
			"involvedObject": map[string]any{"kind": "Pod", "name": name + "-worker-0", "namespace": "ml" + text},
		},
	}
}

// TestHostileTextThroughEveryAnswer: whatever text is in objects, logs and
// exporters' pages, answers and messages hold no character that turns, hides or
// controls, tables keep their columns and rows, and JSON keeps the text.
func TestHostileTextThroughEveryAnswer(t *testing.T) {
	texts := corpus.Hostile()
	from := hostileFiles(t, texts)
	for _, line := range [][]string{
		{"jobs"}, {"jobs", "-o", "wide"}, {"jobs", "-o", "name"}, {"jobs", "-o", "json"}, {"jobs", "-o", "yaml"},
		{"diagnose"}, {"diagnose", "-o", "json"},
		{"gpus"}, {"gpus", "-o", "json"},
		{"curves"}, {"curves", "-o", "csv"}, {"curves", "-o", "json"},
		{"compare"}, {"compare", "-o", "md"}, {"compare", "-o", "csv"}, {"compare", "-o", "json"},
		{"logs", "rank0"}, {"logs", "rank0", "--color", "always"},
		{"jobs", "no\u202ejob\x1b[2J"}, {"diagnose", "a/b/c\u2066/\u200b"}, {"logs", "\u009b2J\U000e0041"}, {"jobs", "-o", "\u202e"}, {"\u202ejobs"},
		{"completion", "\u202ebash"}, {"__complete", "jobs", "-n", ""}, {"jobs", "--\u202e"},
	} {
		where := fmt.Sprintf("%+q", line)
		out, messages, _ := command(t, "", append(line, from...)...)
		for stream, text := range map[string]string{"output": out, "messages": messages} {
			if err := corpus.Check(text); err != nil {
				t.Errorf("%s: %s: %v", where, stream, err)
			}
		}
		switch {
		case line[len(line)-1] == "json":
			if !json.Valid([]byte(out)) {
				t.Errorf("%s is not JSON", where)
			}
		case line[len(line)-1] == "csv":
			if _, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil {
				t.Errorf("%s is not CSV: %v", where, err)
			}
		}
	}
}

// TestHostileTextMakesNoRows: a table has a row for each job, however many
// line ends are in their names, and JSON has the names as they are.
func TestHostileTextMakesNoRows(t *testing.T) {
	texts := corpus.Hostile()
	from := hostileFiles(t, texts)
	out, _, _ := command(t, "", append([]string{"jobs", "-o", "name"}, from[:2]...)...)
	if rows := strings.Count(out, "\n"); rows != len(texts) {
		t.Errorf("%d rows for %d jobs:\n%s", rows, len(texts), out)
	}
	out, _, _ = command(t, "", append([]string{"jobs", "-o", "json"}, from[:2]...)...)
	var answer jobsAnswer
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, job := range answer.Jobs {
		names[job.Name] = true
	}
	for i, c := range texts {
		if name := fmt.Sprintf("j%d-%s", i, strings.ToValidUTF8(c.Text, "\uFFFD")); !names[name] && !strings.Contains(c.Name, "UTF-8") && !strings.Contains(c.Name, "bytes") && c.Name != "cut character" {
			t.Errorf("JSON changed the name %+q", name)
		}
	}
	if !strings.Contains(out, `\u202e`) || !strings.Contains(out, `\u200b`) {
		t.Error("JSON drops what it should escape")
	}
}

// TestHonestTextStaysInAnswers: names of the world's scripts are printed as
// they are.
func TestHonestTextStaysInAnswers(t *testing.T) {
	texts := corpus.Honest()
	from := hostileFiles(t, texts)
	for _, line := range [][]string{{"jobs", "-o", "name"}, {"jobs", "-o", "json"}, {"diagnose"}} {
		out, _, _ := command(t, "", append(line, from[:2]...)...)
		for i, c := range texts {
			if name := fmt.Sprintf("j%d-%s", i, c.Text); !strings.Contains(out, name) {
				t.Errorf("%v: %s: %q is not in the answer", line, c.Name, name)
			}
		}
	}
}
