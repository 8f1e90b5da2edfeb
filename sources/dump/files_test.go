package dump

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// heard is a sink that keeps objects and health.
type heard struct {
	objects map[string]kinds.Object // by namespace/Kind/name
	health  map[string]train.Health
	now     time.Time
}

func newHeard() *heard {
	return &heard{objects: map[string]kinds.Object{}, health: map[string]train.Health{}}
}

func (h *heard) Apply(events ...store.Event) {
	for _, event := range events {
		switch e := event.(type) {
		case store.Set:
			h.objects[e.Object.GetNamespace()+"/"+e.Kind.Kind+"/"+e.Object.GetName()] = e.Object
		case store.Deleted:
			delete(h.objects, e.Namespace+"/"+e.Kind.Kind+"/"+e.Name)
		case store.HealthChanged:
			h.health[e.Health.Source] = e.Health
		case store.Clock:
			h.now = e.Now
		}
	}
}

// readAll runs the source over paths.
func readAll(t *testing.T, o Options, paths ...string) (*heard, *Files, error) {
	t.Helper()
	h := newHeard()
	files := New(paths, o)
	err := files.Run(t.Context(), h)
	return h, files, err
}

// write puts text into a file of a fresh folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadsWhatKubectlPrints(t *testing.T) {
	h, files, err := readAll(t, Options{}, "testdata/pytorch-crashloop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	pod, isPod := h.objects["vision/Pod/clip-worker-1"].(*corev1.Pod)
	if !isPod {
		t.Fatalf("no typed pod; objects are %v", h.objects)
	}
	if last := pod.Status.ContainerStatuses[0].LastTerminationState.Terminated; last == nil || last.ExitCode != 1 {
		t.Errorf("the pod's last termination is %v", last)
	}
	if want := "2026-11-20T09:27:19Z"; h.now.Format(time.RFC3339) != want {
		t.Errorf("clock pinned to %v, the newest moment in the file is %s", h.now, want)
	}
	if got := h.health["file testdata/pytorch-crashloop.yaml"]; got.State != train.SourceRead {
		t.Errorf("health is %+v", got)
	}
	summary := files.Summary()
	if n := summary.Objects[schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}]; n != 1 {
		t.Errorf("counted %d PyTorchJobs", n)
	}
	if len(summary.Unknown) != 0 {
		t.Errorf("unknown kinds: %v", summary.Unknown)
	}
}

// All forms in which the same pods can be written give the same pods.
func TestForms(t *testing.T) {
	a, b := podNamed("a"), podNamed("b")
	f := func(name, text string) {
		t.Helper()
		for _, packed := range []bool{false, true} {
			body := text
			if packed {
				body = gzipped(t, text)
			}
			h, files, err := readAll(t, Options{}, write(t, "pods", body))
			if err != nil || len(files.Summary().Problems) > 0 {
				t.Errorf("%s: %v %v", name, err, files.Summary().Problems)
			}
			for _, pod := range []string{"a", "b"} {
				if _, isPod := h.objects["ml/Pod/"+pod].(*corev1.Pod); !isPod {
					t.Errorf("%s: no pod %s", name, pod)
				}
			}
		}
	}
	f("documents", a+"---\n"+b)
	f("documents with markers and comments", "# from kubectl\n---\n"+a+"...\n--- # second\n"+b+"---\n---\n")
	f("Windows line breaks", strings.ReplaceAll(a+"---\n"+b, "\n", "\r\n"))
	f("byte order mark", "\ufeff"+a+"---\n"+b)
	f("List", "apiVersion: v1\nitems:\n- "+indent(a)+"- "+indent(b)+"kind: List\nmetadata:\n  resourceVersion: \"\"\n")
	f("List with indented items", "kind: List\nitems:\n  - "+strings.ReplaceAll(indent(a), "\n  ", "\n    ")+"\n  # second\n  - "+strings.ReplaceAll(indent(b), "\n  ", "\n    ")+"apiVersion: v1\n")
	f("dash alone", "items:\n-\n  "+indent(a)+"-\n  "+indent(b)+"kind: List\n")
	f("two Lists", "items:\n- "+indent(a)+"kind: List\n---\nitems:\n- "+indent(b)+"kind: List\n")
	f("bare sequence", "- "+indent(a)+"- "+indent(b))
	untyped := strings.NewReplacer("apiVersion: v1\n", "", "kind: Pod\n", "")
	f("PodList of items without kind", "apiVersion: v1\nitems:\n- "+indent(untyped.Replace(a))+"- "+indent(untyped.Replace(b))+"kind: PodList\n")
	f("List in a List", "items:\n- kind: List\n  items:\n  - "+strings.ReplaceAll(indent(a), "\n  ", "\n    ")+"\n  - "+strings.ReplaceAll(indent(b), "\n  ", "\n    ")+"\nkind: List\n")
	f("flow style", "--- "+jsonPod("a")+"\n--- "+jsonPod("b")+"\n")
	f("JSON documents", jsonPod("a")+jsonPod("b"))
	f("JSON documents on lines", jsonPod("a")+"\n\n"+jsonPod("b")+"\n")
	f("JSON List", `{"apiVersion":"v1","items":[`+jsonPod("a")+`,`+jsonPod("b")+`],"kind":"List"}`)
	f("JSON array", `[`+jsonPod("a")+`, `+jsonPod("b")+`]`)
	untypedJSON := strings.NewReplacer(`"apiVersion":"v1","kind":"Pod",`, "")
	f("JSON PodList, kind first", `{"kind":"PodList","apiVersion":"v1","items":[`+untypedJSON.Replace(jsonPod("a"))+`,`+untypedJSON.Replace(jsonPod("b"))+`]}`)
	f("JSON PodList, kind last", `{"apiVersion":"v1","items":[`+untypedJSON.Replace(jsonPod("a"))+`,`+untypedJSON.Replace(jsonPod("b"))+`],"kind":"PodList"}`)
	f("watch events", `{"type":"ADDED","object":`+jsonPod("a")+"}\n"+`{"type":"MODIFIED","object":`+jsonPod("b")+"}\n"+`{"type":"DELETED","object":`+jsonPod("c")+"}\n")
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The layout of "kubectl cluster-info dump --output-directory": typed lists in
// namespace folders beside logs; and other files in folders.
func TestFolders(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"nodes.json":         `{"kind":"NodeList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"gpu-0"}}]}`,
		"ml/pods.json":       `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"a","namespace":"ml"}}]}`,
		"ml/events.json":     `{"kind":"EventList","apiVersion":"v1","metadata":{},"items":[]}`,
		"ml/a/logs.txt":      "==== START logs for container pytorch of pod ml/a ====\nstep 1\n==== END logs ====\n",
		"ml/.hidden/x.yaml":  podNamed("hidden"),
		"ml/.swp":            "\x00",
		"broken/broken.yaml": "apiVersion: v1\nkind: [\n",
		"ml/collect.sh":      "#!/bin/sh\nkubectl cluster-info dump\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(root, filepath.Join(root, "ml", "loop")); err != nil {
		t.Skip("no symbolic links here")
	}
	h, files, err := readAll(t, Options{}, root)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.objects) != 2 || h.objects["/Node/gpu-0"] == nil || h.objects["ml/Pod/a"] == nil {
		t.Errorf("read %v", h.objects)
	}
	summary := files.Summary()
	if summary.OtherFiles != 1 || len(summary.Problems) != 1 {
		t.Errorf("summary is %+v", summary)
	}
	if got := h.health["file "+root]; got.State != train.SourceRead || !strings.Contains(got.Text, "2 objects; 6 files, 1 of something else") || !strings.Contains(got.Text, "; 1 log") {
		t.Errorf("health is %+v", got)
	}
	if got := h.health["file "+filepath.Join(root, "broken", "broken.yaml")]; got.State != train.SourceFailed {
		t.Errorf("health of the broken file is %+v", got)
	}
}

// A folder with hidden files alone is not called empty.
func TestFolderOfHiddenFiles(t *testing.T) {
	root := t.TempDir()
	if _, _, err := readAll(t, Options{}, root); err == nil || !strings.Contains(err.Error(), "it is empty") {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(root, ".rank0.log"), []byte("step 1 loss 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readAll(t, Options{}, root); err == nil || strings.Contains(err.Error(), "empty") || !strings.Contains(err.Error(), ".rank0.log") {
		t.Errorf("a folder with a hidden file: %v", err)
	}
}

func TestPaths(t *testing.T) {
	if _, _, err := readAll(t, Options{}, "testdata/no-such-file.yaml"); err == nil || !strings.Contains(err.Error(), "no-such-file.yaml: no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, _, err := readAll(t, Options{}, t.TempDir()); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, _, err := readAll(t, Options{}, "-"); err == nil || !strings.Contains(err.Error(), "standard input is not available") {
		t.Errorf("no standard input: %v", err)
	}
	good := write(t, "good.yaml", podNamed("a"))
	h, _, err := readAll(t, Options{}, "no-such-file", good)
	if err != nil || h.health["file no-such-file"].State != train.SourceFailed || h.objects["ml/Pod/a"] == nil {
		t.Errorf("one good of two: %v %+v", err, h.health)
	}
	if h, _, err := readAll(t, Options{}, "3="+good); err != nil || h.objects["ml/Pod/a"] == nil {
		t.Errorf("a rank before the path: %v", err)
	}
	named := write(t, "3=x.yaml", podNamed("a"))
	t.Chdir(filepath.Dir(named))
	if h, _, err := readAll(t, Options{}, "3=x.yaml"); err != nil || h.objects["ml/Pod/a"] == nil {
		t.Errorf("a path that looks like a rank: %v", err)
	}
}

func TestTheLaterVersionWins(t *testing.T) {
	older := podNamed("a") + "  uid: u1\n  resourceVersion: \"99\"\n  labels: {v: older}\n"
	newer := podNamed("a") + "  uid: u1\n  resourceVersion: \"100\"\n  labels: {v: newer}\n"
	again := podNamed("a") + "  uid: u2\n  resourceVersion: \"101\"\n  labels: {v: again}\n"
	f := func(text, want string) {
		t.Helper()
		h, files, err := readAll(t, Options{}, write(t, "x.yaml", text))
		if err != nil {
			t.Fatal(err)
		}
		if got := h.objects["ml/Pod/a"].GetLabels()["v"]; got != want {
			t.Errorf("%s stands, want %s", got, want)
		}
		if n := files.Summary().Objects[kinds.PodKind]; n != 1 {
			t.Errorf("counted %d times", n)
		}
	}
	f(older+"---\n"+newer, "newer")
	f(newer+"---\n"+older, "newer")
	f(newer+"---\n"+again, "again") // another object of the same name
	f(again+"---\n"+newer, "again")
}

func TestEventsOfTheNewerAPI(t *testing.T) {
	h, _, err := readAll(t, Options{}, write(t, "x.yaml", `apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: a.1, namespace: ml}
note: Back-off restarting failed container
reason: BackOff
type: Warning
regarding: {kind: Pod, name: a, namespace: ml}
reportingController: kubelet
deprecatedCount: 4
deprecatedSource: {component: kubelet, host: gpu-0}
deprecatedLastTimestamp: "2026-11-20T09:27:19Z"
series: {count: 3, lastObservedTime: "2026-11-20T09:28:00.000001Z"}
`))
	if err != nil {
		t.Fatal(err)
	}
	event, isEvent := h.objects["ml/Event/a.1"].(*corev1.Event)
	if !isEvent {
		t.Fatalf("objects are %v", h.objects)
	}
	if event.InvolvedObject.Name != "a" || !strings.HasPrefix(event.Message, "Back-off") || event.Count != 4 ||
		event.Source.Host != "gpu-0" || event.ReportingController != "kubelet" || event.Series.Count != 3 {
		t.Errorf("event is %+v", event)
	}
	if h.now.Format("15:04:05") != "09:28:00" {
		t.Errorf("it is %v", h.now)
	}
}

func TestSecretsStayOut(t *testing.T) {
	const secret = "hunter2"
	text := `apiVersion: v1
kind: Secret
metadata:
  name: s
  namespace: ml
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"data":"hunter2"}'
data: {password: hunter2}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c, namespace: ml}
data: {config: hunter2}
---
` + podNamed("a") + `spec:
  containers:
  - name: x
    env:
    - {name: WANDB_API_KEY, value: hunter2}
    - {name: HF_TOKEN, value: hunter2}
    - {name: RANK, value: "3"}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: j, namespace: ml}
spec: {pytorchReplicaSpecs: {Master: {template: {spec: {containers: [{name: pytorch, env: [{name: DB_PASSWORD, value: hunter2}]}]}}}}}
`
	h, files, err := readAll(t, Options{}, write(t, "x.yaml", text))
	if err != nil {
		t.Fatal(err)
	}
	for name, object := range h.objects {
		if dumped := show(t, object); strings.Contains(dumped, secret) {
			t.Errorf("%s keeps the secret: %s", name, dumped)
		}
	}
	for _, name := range []string{"ml/Secret/s", "ml/ConfigMap/c"} {
		if _, reduced := h.objects[name].(*metav1.PartialObjectMetadata); !reduced {
			t.Errorf("%s is %T", name, h.objects[name])
		}
	}
	if env := h.objects["ml/Pod/a"].(*corev1.Pod).Spec.Containers[0].Env; env[2].Value != "3" {
		t.Error("the rank is gone too")
	}
	for _, kind := range []string{"Secret", "ConfigMap"} {
		name := strings.ToLower(kind[:1])
		manifest, err := files.Manifest(schema.GroupKind{Kind: kind}, "ml", name)
		if err != nil || strings.Contains(string(manifest), secret) || !strings.Contains(string(manifest), redact.Masked) {
			t.Errorf("manifest of %s: %v\n%s", kind, err, manifest)
		}
	}
}
