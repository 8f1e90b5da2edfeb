package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	jsonutil "k8s.io/apimachinery/pkg/util/json"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/act"
	"github.com/traintop/traintop/train"
)

const editedJob = `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"bert","namespace":"ml","uid":"u-1","resourceVersion":"7","generation":2,
  "managedFields":[{"manager":"kubectl"}],"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"}},
 "spec":{"parallelism":2,"activeDeadlineSeconds":9007199254740993,"template":{"spec":{"containers":[{"name":"pytorch","image":"train:1",
  "args":["train.py","--api-key=abc","--token","hf_1","--key","hf_2"],
  "env":[{"name":"HF_TOKEN","value":"hf_1"},{"name":"WANDB_API_KEY","value":"w_1"},{"name":"LR","value":"0.1"}]}]}}},
 "status":{"active":2}}`

// editing is a cluster with one Job, to which it applies patches like a
// server.
type editing struct {
	*Cluster
	live    map[string]any
	patched []map[string]any
	queries []string
	// before runs before a patch that is not a dry run.
	before func()
}

func newEditing(t *testing.T) *editing {
	t.Helper()
	server := newAPIServer(t)
	server.serve("batch/v1/Job/jobs", true)
	e := &editing{}
	if err := jsonutil.Unmarshal([]byte(editedJob), &e.live); err != nil {
		t.Fatal(err)
	}
	server.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/jobs/bert") {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		if r.Method == http.MethodGet {
			json.NewEncoder(w).Encode(e.live)
			return true
		}
		dry := r.URL.Query().Get("dryRun") == "All"
		if !dry && e.before != nil {
			e.before()
		}
		e.queries = append(e.queries, r.URL.RawQuery)
		text, _ := io.ReadAll(r.Body)
		var patch map[string]any
		_ = json.Unmarshal(text, &patch)
		e.patched = append(e.patched, patch)
		metadata := patch["metadata"].(map[string]any)
		if metadata["resourceVersion"] != e.version() {
			refuseWith(w, 409, "Conflict", "Operation cannot be fulfilled: the object has been modified")
			return true
		}
		delete(metadata, "resourceVersion")
		text, _ = json.Marshal(patch)
		now, _ := json.Marshal(e.live)
		after, err := jsonpatch.MergePatch(now, text)
		if err != nil {
			refuseWith(w, 400, "BadRequest", err.Error())
			return true
		}
		if !dry {
			e.live = nil
			_ = jsonutil.Unmarshal(after, &e.live)
		}
		_, _ = w.Write(after)
		return true
	})
	cluster, err := New(Options{Flags: server.flags()})
	if err != nil {
		t.Fatal(err)
	}
	e.Cluster = cluster
	return e
}

func (e *editing) version() any { return e.live["metadata"].(map[string]any)["resourceVersion"] }

// goesOn changes the live object like another client.
func (e *editing) goesOn(section, key string, value any) {
	e.live = maps.Clone(e.live)
	inner := maps.Clone(e.live[section].(map[string]any))
	inner[key] = value
	e.live[section] = inner
	metadata := maps.Clone(e.live["metadata"].(map[string]any))
	metadata["resourceVersion"] = fmt.Sprint(metadata["resourceVersion"]) + "1"
	e.live["metadata"] = metadata
}

func (e *editing) draft(t *testing.T) actions.Draft {
	t.Helper()
	draft, err := e.Fetch(t.Context(), train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: "bert"})
	if err != nil {
		t.Fatal(err)
	}
	return draft
}

func swap(t *testing.T, text []byte, old, by string) []byte {
	t.Helper()
	if strings.Count(string(text), old) != 1 {
		t.Fatalf("%q is not once in\n%s", old, text)
	}
	return []byte(strings.Replace(string(text), old, by, 1))
}

func TestAnEditIsShownMaskedAndWrittenWhole(t *testing.T) {
	e := newEditing(t)
	draft := e.draft(t)
	for _, hidden := range []string{"hf_1", "w_1", "=abc", "managedFields", "last-applied", "status:", "resourceVersion"} {
		if strings.Contains(string(draft.Text), hidden) {
			t.Errorf("the text has %q:\n%s", hidden, draft.Text)
		}
	}
	if draft.Masked != 5 || draft.Ref.UID != "u-1" || !strings.Contains(string(draft.Text), "9007199254740993") {
		t.Errorf("%d masked, UID %q:\n%s", draft.Masked, draft.Ref.UID, draft.Text)
	}
	text := swap(t, draft.Text, "parallelism: 2", "parallelism: 4")
	text = swap(t, text, "- train.py\n", "- train.py\n        - --verbose\n")
	text = swap(t, text, "        - name: LR\n          value: \"0.1\"\n", "        - name: LR\n          value: \"0.2\"\n")
	proposal, err := e.DryRun(t.Context(), draft, text)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(proposal.Changed, " "); got != "spec.parallelism spec.template.spec.containers" {
		t.Errorf("changed: %s", got)
	}
	for _, want := range []string{"-  parallelism: 2\n", "+  parallelism: 4\n", "+        - --verbose\n", "+          value: \"0.2\"\n"} {
		if !strings.Contains(proposal.Diff, want) {
			t.Errorf("the difference lacks %q:\n%s", want, proposal.Diff)
		}
	}
	if strings.Contains(proposal.Diff, "hf_1") || strings.Contains(proposal.Diff, "w_1") {
		t.Errorf("the difference tells secrets:\n%s", proposal.Diff)
	}
	if e.queries[0] != "dryRun=All&fieldManager=traintop&fieldValidation=Strict" {
		t.Errorf("asked %q", e.queries[0])
	}
	if err := e.Apply(t.Context(), proposal); err != nil {
		t.Fatal(err)
	}
	now, _ := json.Marshal(e.live)
	for _, want := range []string{`"parallelism":4`, `"--verbose"`, `"--api-key=abc"`, `"hf_1"`, `"hf_2"`, `"w_1"`, `"0.2"`} {
		if !strings.Contains(string(now), want) {
			t.Errorf("%s is not in what was written: %s", want, now)
		}
	}
	if strings.Contains(string(now), "***") {
		t.Errorf("a mask was written: %s", now)
	}
}

func TestMasksThatCannotBeTracedAreRefused(t *testing.T) {
	for name, change := range map[string][2]string{
		"another name":     {"name: HF_TOKEN", "name: HUB_TOKEN"},
		"another flag":     {"- --token\n", "- --secret-token\n"},
		"a mask of theirs": {"value: \"0.1\"", "value: '***'"},
		"a new field":      {"parallelism: 2", "parallelism: 2\n  managedBy: '***'"},
	} {
		e := newEditing(t)
		draft := e.draft(t)
		_, err := e.DryRun(t.Context(), draft, swap(t, draft.Text, change[0], change[1]))
		var failed *actions.Failure
		if !errors.As(err, &failed) || failed.Kind != actions.Invalid || !strings.Contains(failed.Text, "which value *** stands for") {
			t.Errorf("%s: %v", name, err)
		}
		if len(e.patched) > 0 {
			t.Errorf("%s: it was sent", name)
		}
	}
	// Swapped flags take their values along; a removed one goes.
	e := newEditing(t)
	draft := e.draft(t)
	text := swap(t, draft.Text, "- --token\n        - '***'\n        - --key\n        - '***'\n", "- --key\n        - '***'\n        - --token\n        - '***'\n")
	proposal, err := e.DryRun(t.Context(), draft, text)
	if err != nil || !strings.Contains(string(proposal.Request.Body), `"--key","hf_2","--token","hf_1"`) {
		t.Errorf("swapped: %v, %s", err, proposal.Request.Body)
	}
	text = swap(t, draft.Text, "        - --token\n        - '***'\n", "")
	proposal, err = e.DryRun(t.Context(), draft, text)
	if err != nil || !strings.Contains(string(proposal.Request.Body), `"--api-key=abc","--key","hf_2"]`) {
		t.Errorf("removed: %v, %s", err, proposal.Request.Body)
	}
}

func TestWhatIsNoEdit(t *testing.T) {
	e := newEditing(t)
	draft := e.draft(t)
	for _, text := range []string{"", "# nothing\n", string(draft.Text), "---\n" + string(draft.Text)} {
		proposal, err := e.DryRun(t.Context(), draft, []byte(text))
		if err != nil || !proposal.Unchanged || e.Apply(t.Context(), proposal) != nil || len(e.patched) > 0 {
			t.Errorf("%.20q: %+v, %v", text, proposal, err)
		}
	}
	for text, want := range map[string]string{
		"spec: [":    "the text is no YAML",
		"a: 1\na: 2": "already set",
		"- a":        "no object",
		string(swap(t, draft.Text, "name: bert", "name: other")):            "metadata.name cannot be changed",
		string(swap(t, draft.Text, "kind: Job", "kind: CronJob")):           "kind cannot be changed",
		string(draft.Text) + "status: {}\n":                                 "status cannot be changed",
		"x: " + strings.Repeat("x", act.MostEdited):                         "bytes",
		string(swap(t, draft.Text, "uid: u-1", "uid: u-2")):                 "metadata.uid cannot be changed",
		string(swap(t, draft.Text, "namespace: ml", "namespace: \"\x1b\"")): "no YAML",
	} {
		_, err := e.DryRun(t.Context(), draft, []byte(text))
		var failed *actions.Failure
		if !errors.As(err, &failed) || failed.Kind != actions.Invalid || !strings.Contains(failed.Text, want) || strings.Contains(failed.Text, "\x1b") {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	if _, err := e.Fetch(t.Context(), train.Ref{Kind: "Secret", Namespace: "ml", Name: "x"}); err == nil {
		t.Error("a Secret was read")
	}
}

func TestWhatSomebodyElseChangedMeanwhile(t *testing.T) {
	conflict := func(err error, want string) {
		t.Helper()
		var failed *actions.Failure
		if !errors.As(err, &failed) || failed.Kind != actions.Conflict || !strings.Contains(failed.Text, want) {
			t.Errorf("the error is %v", err)
		}
	}
	// The edited field: reported before anything is sent.
	e := newEditing(t)
	draft := e.draft(t)
	text := swap(t, draft.Text, "parallelism: 2", "parallelism: 4")
	e.goesOn("spec", "parallelism", 3)
	_, err := e.DryRun(t.Context(), draft, text)
	conflict(err, "somebody else changed it meanwhile (spec.parallelism)")

	// Another field, before the diff is shown: the edit applies on top of it.
	e = newEditing(t)
	draft = e.draft(t)
	e.goesOn("spec", "suspend", true)
	proposal, err := e.DryRun(t.Context(), draft, text)
	if err != nil || e.Apply(t.Context(), proposal) != nil || e.live["spec"].(map[string]any)["suspend"] != true {
		t.Errorf("an edit beside another: %v", err)
	}

	// The status, after the diff was shown: no conflict.
	e = newEditing(t)
	proposal, err = e.DryRun(t.Context(), e.draft(t), text)
	rounds := 0
	e.before = func() {
		if rounds++; rounds < 3 {
			e.goesOn("status", "active", rounds)
		}
	}
	if err != nil || e.Apply(t.Context(), proposal) != nil || rounds != 3 {
		t.Errorf("a status that goes on: %v, %d rounds", err, rounds)
	}

	// Anything else, after the diff was shown: not what the person confirmed.
	e = newEditing(t)
	proposal, err = e.DryRun(t.Context(), e.draft(t), text)
	if err != nil {
		t.Fatal(err)
	}
	e.goesOn("spec", "suspend", true)
	conflict(e.Apply(t.Context(), proposal), "somebody else changed it meanwhile")
}

// Whatever an editor returns, neither a mask nor a secret under another name
// is ever sent.
func FuzzEdits(f *testing.F) {
	var object map[string]any
	if err := jsonutil.Unmarshal([]byte(editedJob), &object); err != nil {
		f.Fatal(err)
	}
	draft, err := act.DraftOf(train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: "bert", UID: "u-1"}, object)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(draft.Text))
	f.Add(strings.Replace(string(draft.Text), "HF_TOKEN", "WANDB_API_KEY", 1))
	f.Add(strings.ReplaceAll(string(draft.Text), "--token\n", "--key\n"))
	f.Fuzz(func(t *testing.T, text string) {
		patch, err := act.PatchOf(draft, []byte(text))
		if err != nil {
			return
		}
		if act.Masks(patch) > 0 {
			t.Errorf("a mask would be sent: %v", patch)
		}
		spec, _ := json.Marshal(patch)
		var written struct {
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct {
							Env []struct{ Name, Value any }
						}
					}
				}
			}
		}
		if json.Unmarshal(spec, &written) != nil {
			return
		}
		for _, container := range written.Spec.Template.Spec.Containers {
			for _, one := range container.Env {
				if one.Value == "hf_1" && one.Name != "HF_TOKEN" && !strings.Contains(text, "hf_1") {
					t.Errorf("%v got the value of another", one.Name)
				}
			}
		}
	})
}

func BenchmarkEdit(b *testing.B) {
	var object map[string]any
	if err := jsonutil.Unmarshal([]byte(editedJob), &object); err != nil {
		b.Fatal(err)
	}
	draft, err := act.DraftOf(train.Ref{Kind: "Job", Name: "bert"}, object)
	if err != nil {
		b.Fatal(err)
	}
	text := []byte(strings.Replace(string(draft.Text), "parallelism: 2", "parallelism: 4", 1))
	b.ReportAllocs()
	for b.Loop() {
		if patch, err := act.PatchOf(draft, text); err != nil || len(patch) == 0 {
			b.Fatal(err)
		}
	}
}
