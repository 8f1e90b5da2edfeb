package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// examplesOfKinds is the example of the documentation, which these tests run.
func examplesOfKinds(t *testing.T) string {
	t.Helper()
	_, text, found := strings.Cut(configKinds, "```yaml\n")
	text, _, closed := strings.Cut(text, "```")
	if !found || !closed {
		t.Fatal("no example")
	}
	return text
}

// The entries of the documentation read objects as their controllers write
// them: sizes, GPUs, phases, pods found by label and by owner.
func TestDocumentedKindsReadRealObjects(t *testing.T) {
	configured(t, examplesOfKinds(t))
	out, messages, code := command(t, "", "jobs", "-A", "-o", "json", "--from", "testdata/ownkinds.yaml")
	if code != exitDone || messages != "" {
		t.Fatalf("exit %d: %s", code, messages)
	}
	var answer struct {
		Jobs []struct {
			Kind, Name, Phase, Reason string
			Ranks                     struct{ Ready, Wanted int }
			GPUs                      int
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, job := range answer.Jobs {
		text, _ := json.Marshal(job)
		got[job.Kind+"/"+job.Name] = string(text)
	}
	for name, want := range map[string][]string{
		"Notebook/my-notebook":     {`"Phase":"Running"`, `"Ready":1,"Wanted":1`, `"GPUs":1`},
		"Notebook/culled":          {`"Phase":"Suspended"`},
		"NodeSet/slurm-worker-gpu": {`"Phase":"Pending"`, `"Ready":1,"Wanted":2`, `"GPUs":16`, "ImagePullBackOff"},
	} {
		for _, part := range want {
			if !strings.Contains(got[name], part) {
				t.Errorf("%s is %s, want %s", name, got[name], part)
			}
		}
	}
	if len(got) != 3 {
		t.Errorf("the jobs are %v", got)
	}

	out, messages, _ = command(t, "", "diagnose", "slurm/nodeset/slurm-worker-gpu", "--from", "testdata/ownkinds.yaml")
	if !strings.Contains(out, "slurm/NodeSet/slurm-worker-gpu: Image slurmd:1 cannot be pulled") {
		t.Errorf("the diagnosis is %s%s", out, messages)
	}
	if out, _, _ := command(t, "", "jobs", "notebook/my-notebook", "-A", "--from", "testdata/ownkinds.yaml"); !strings.Contains(out, "my-notebook") || strings.Contains(out, "culled") {
		t.Errorf("by its kind: %s", out)
	}

	// A recording has the objects, and shows them as the configuration defines.
	recording := filepath.Join(t.TempDir(), "x.ttrec")
	if _, messages, code := command(t, "", "record", "-o", recording, "--from", "testdata/ownkinds.yaml"); code != exitDone {
		t.Fatalf("record: exit %d: %s", code, messages)
	}
	if out, _, _ := command(t, "", "jobs", "-A", "--from", recording); !strings.Contains(out, "slurm-worker-gpu") || !strings.Contains(out, "culled") {
		t.Errorf("from a recording: %s", out)
	}

	configured(t, "theme: nord\n")
	if out, _, _ := command(t, "", "jobs", "-A", "--from", "testdata/ownkinds.yaml"); strings.Contains(out, "culled") {
		t.Errorf("without the configuration: %s", out)
	}
}

// Each mistake is named with its place, its value and what is allowed; the
// other kinds are used.
func TestWrongKindsAreNamed(t *testing.T) {
	good := "- {group: example.com, versions: [v1], kind: Good, roles: [{replicas: spec.workers}]}\n"
	for _, c := range []struct{ entry, want string }{
		{"{group: kubeflow.org, versions: [v1], kind: PyTorchJob, roles: [{replicas: spec.x}]}", `kinds[0].kind is "PyTorchJob"; traintop reads PyTorchJob.kubeflow.org already`},
		{"{group: apps, versions: [v1], kind: Deployment, roles: [{replicas: spec.replicas}]}", `kinds[0].group is "apps"; it has to be the group of a custom resource`},
		{"{group: x.y, versions: [v1], kind: work, roles: [{replicas: spec.x}]}", `kinds[0].kind is "work"`},
		{"{group: x.y, kind: Work, roles: [{replicas: spec.x}]}", `kinds[0].versions is ""; it has to list the versions`},
		{"{group: x.y, versions: [one], kind: Work, roles: [{replicas: spec.x}]}", `kinds[0].versions[0] is "one"`},
		{"{group: x.y, versions: [v1], kind: Work}", `kinds[0].roles is ""; it has to list where pods are declared`},
		{"{group: x.y, versions: [v1], kind: Work, roles: [{replicas: 'spec.roles[*].n'}]}", `kinds[0].roles[0].replicas is "spec.roles[*].n"; a path has names and dots alone`},
		{"{group: x.y, versions: [v1], kind: Work, roles: [{name: a}]}", `kinds[0].roles[0].replicas is ""; a role needs the path`},
		{"{group: x.y, versions: [v1], kind: Work, roles: [{replicas: a.b}, {replicas: a.c}]}", `kinds[0].roles[0].name is ""; each of several roles needs a name`},
		{"{group: x.y, versions: [v1], kind: Work, roles: [{name: w, replicas: a.b}, {name: W, replicas: a.c}]}", `kinds[0].roles[1].name is "W"; there is a role of that name`},
		{"{group: x.y, versions: [v1], kind: Work, suspend: spec..x, roles: [{replicas: spec.x}]}", `kinds[0].suspend is "spec..x"`},
		{"{group: x.y, versions: [v1], kind: Work, phases: {Runing: [Up]}, roles: [{replicas: spec.x}]}", `kinds[0].phases.Runing is "Runing"; phases are Failed, Succeeded, Suspended, Queued, Restarting, Running, Pending; did you mean "Running"?`},
		{"{group: x.y, versions: [v1], kind: Work, pods: {labels: {app: work}}, roles: [{replicas: spec.x}]}", `kinds[0].pods.labels is "work"; one of the labels has to name the job`},
		{"{group: x.y, versions: [v1], kind: Work, pods: {labels: {'a b': '{name}'}}, roles: [{replicas: spec.x}]}", `it has to be the key of a label`},
		{"{group: x.y, versions: [v1], kind: Work, resource: Works, roles: [{replicas: spec.x}]}", `kinds[0].resource is "Works"`},
		{"{group: x.y, versions: [v1], kind: Work, replicas: spec.x}", `"kinds[0].replicas"`},
		{"{group: x.y, versions: v1, kind: Work, roles: [{replicas: spec.x}]}", `kinds[0].versions is "v1"`},
	} {
		read, warnings := configOf(t, "theme: nord\nkinds:\n- "+c.entry+"\n"+good)
		all := strings.Join(warnings, "\n")
		if !strings.Contains(all, c.want) || !strings.Contains(all, "config.yaml:3: ") {
			t.Errorf("%s: the warnings are %s\nwant %s", c.entry, all, c.want)
		}
		if layouts := read.Layouts(); len(layouts) != 1 || layouts[0].Kind != "Good" || read.Theme != "nord" {
			t.Errorf("%s: used are %+v", c.entry, layouts)
		}
	}
	_, warnings := configOf(t, "kinds:\n"+good+good)
	if len(warnings) != 1 || !strings.Contains(warnings[0], "config.yaml:3: ") || !strings.Contains(warnings[0], "there is Good.example.com before it already") {
		t.Errorf("twice: %q", warnings)
	}
}

// A kind behind one that has a wrong type keeps its place, and a kind of whose
// roles one cannot be read is not used with the others.
func TestPlacesOfWrongKinds(t *testing.T) {
	read, warnings := configOf(t, `kinds:
- 7
- {group: x.y, versions: [v1], kind: work, roles: [{replicas: spec.x}]}
- {group: x.y, versions: [v1], kind: Half, roles: [{name: a, replicas: spec.a}, {name: b, replicas: [x]}]}
`)
	all := strings.Join(warnings, "\n")
	for _, want := range []string{"config.yaml:2: kinds[0] is 7", `config.yaml:3: kinds[1].kind is "work"`, "config.yaml:4: kinds[2].roles[1].replicas is a list", "kinds[2] is left out"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in %s", want, all)
		}
	}
	if layouts := read.Layouts(); len(layouts) != 0 {
		t.Errorf("used are %+v", layouts)
	}
}

// A path that is not in the objects is reported beside the job.
func TestAWrongPathIsSaidBesideTheJob(t *testing.T) {
	configured(t, "kinds:\n- {group: example.com, versions: [v1], kind: Work, roles: [{name: w, replicas: spec.wokers}]}\n")
	path := filepath.Join(t.TempDir(), "work.yaml")
	if err := os.WriteFile(path, []byte("apiVersion: example.com/v1\nkind: Work\nmetadata: {name: one, namespace: ml, uid: u}\nspec: {workers: 3}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, _ := command(t, "", "jobs", "-A", "--from", path); !strings.Contains(out, "it has no spec.wokers") {
		t.Errorf("%s", out)
	}
}

// TestKindsOfARecordingMadeElsewhere holds that a recording of a cluster with a kind of
// the configuration, opened without it, and one made without the kind, opened with it,
// do not report that there is no job.
func TestKindsOfARecordingMadeElsewhere(t *testing.T) {
	const kind = "kinds:\n- {group: example.com, versions: [v1], kind: FineTune, roles: [{name: w, replicas: spec.n}]}\n"
	const path = "/apis/example.com/v1/finetunes"
	listKinds[path] = "FineTune"
	defer delete(listKinds, path)
	cluster := world{path: {`{apiVersion: example.com/v1, kind: FineTune, metadata: {name: tune, namespace: ft, uid: f}, spec: {n: 1}}`}}.serve(t, nil, nil)
	for recorded, opened := range map[string]string{kind: "theme: nord\n", "theme: nord\n": kind} {
		recording, want := filepath.Join(t.TempDir(), "x.ttrec"), "finetunes.example.com"
		if configured(t, recorded); recorded == kind {
			want = "1 object of kind FineTune.example.com was recorded as a job"
		}
		if _, messages, code := readCluster(t, cluster, "record", "-A", "--for", "1s", "-o", recording); code != exitDone {
			t.Fatalf("record: exit %d: %s", code, messages)
		}
		configured(t, opened)
		for _, args := range []string{"jobs", "jobs -o json", "diagnose", "diagnose -o json", "diagnose ft/finetune/tune", "diagnose tune"} {
			out, messages, code := command(t, "", append(strings.Fields(args), "--from", recording)...)
			if code != exitUnknown || !strings.Contains(out+messages, want) {
				t.Errorf("recorded with %q: %s: exit %d\n%s%s", recorded, args, code, out, messages)
			}
		}
	}
}

// TestKindsNotRecordedBesideJobs holds that a list of the jobs of a recording names the kinds
// of today's configuration that were not asked for when it was made, and no built-in one.
func TestKindsNotRecordedBesideJobs(t *testing.T) {
	cluster := world{"/apis/batch/v1/jobs": {`{apiVersion: batch/v1, kind: Job, metadata: {name: one, namespace: ft, uid: j}, spec: {parallelism: 1}}`}}.serve(t, nil, nil)
	recording := filepath.Join(t.TempDir(), "x.ttrec")
	configured(t, "theme: nord\n")
	if _, messages, code := readCluster(t, cluster, "record", "-A", "--for", "1s", "-o", recording); code != exitDone {
		t.Fatalf("record: exit %d: %s", code, messages)
	}
	const want = "the recording was made without asking for finetunes.example.com"
	for _, c := range []struct {
		config string
		said   int
	}{
		{"kinds:\n- {group: example.com, versions: [v1], kind: FineTune, roles: [{name: w, replicas: spec.n}]}\n", 1}, {"theme: nord\n", 0},
	} {
		configured(t, c.config)
		for _, args := range []string{"jobs", "jobs -o wide", "jobs -o json"} {
			out, messages, code := command(t, "", append(strings.Fields(args), "--from", recording)...)
			if code != exitDone || !strings.Contains(out, "one") || strings.Count(out+messages, want) != c.said || strings.Count(out+messages, "without asking") != c.said {
				t.Errorf("%s: exit %d\n%s%s", args, code, out, messages)
			}
		}
	}
}
