package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// failedJob is a PyTorchJob as training-operator 1.9 leaves it when it has
// failed and cleaned its pods up.
const failedJob = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T09:00:00Z"}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, image: a, resources: {limits: {nvidia.com/gpu: 8}}}]}}}
status: {conditions: [{type: Failed, status: "True", reason: PyTorchJobFailed, message: "PyTorchJob bert is failed because 1 Worker replica(s) failed.", lastTransitionTime: "2026-11-20T09:59:00Z"}]}
`

// A failed job whose pods were not read is never reported as one without a
// finding: in text, JSON and the list of jobs.
func TestFailedJobWithoutItsPods(t *testing.T) {
	path := page(t, "job.yaml", failedJob)
	const sentence = "it failed, and why is not known because its pods were not read"
	out, _, code := command(t, "", "diagnose", "--from", path)
	if code != exitUnknown || !strings.Contains(out, "not enough was read to say: "+sentence) || !strings.Contains(out, "kubectl get pods -n ml -o yaml") {
		t.Errorf("exit %d\n%s", code, out)
	}
	out, _, code = command(t, "", "diagnose", "-o", "json", "--from", path)
	var got diagnosisAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if code != exitUnknown || got.Verdict != "not-enough-read" || len(got.Verdicts) != 1 || !strings.HasPrefix(got.Verdicts[0].Sentence, sentence) || len(got.Verdicts[0].Missing) == 0 {
		t.Errorf("exit %d\n%+v %+v", code, got.Verdict, got.Verdicts)
	}
	if out, _, _ := command(t, "", "jobs", "--from", path); !strings.Contains(out, "failed; why is not known because its pods were not read") {
		t.Error(out)
	}
}

// The error of a file stays when its lines are read as text.
func TestVerdictsOnFiles(t *testing.T) {
	for name, f := range map[string]struct {
		text, out, messages string
		code                int
	}{
		"cut":    {failedJob + "---\nkind: Pod\napiVersion: v1\nmetadata: {name: [\n", "not enough was read to say", "file.yaml", exitUnknown},
		"binary": {strings.Repeat("\x7fELF\x00\x01\x02\xfe", 99), "", "binary data", exitFailed},
		"log":    {"step 1 loss 2.5\nstep 2 loss 2.4\n", "Nothing wrong in 1 job.\n  Looked at: the log ", "", exitDone},
		"cause":  {"RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB\n", "Verdict: cause found.", "", exitDone},
		"empty":  {"", "", "not enough was read to say", exitUnknown},
		// The output of kubectl get without objects.
		"empty list":          {`{"apiVersion":"v1","items":[],"kind":"List","metadata":{"resourceVersion":""}}`, "", "nothing to look at", exitDone},
		"empty list, YAML":    {"apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n", "", "nothing to look at", exitDone},
		"no training objects": {"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: a, namespace: b}\n- apiVersion: v1\n  kind: Node\n  metadata: {name: gpu-0}\nkind: List\n", "", "nothing to look at", exitDone},
		"a kind of others":    {"apiVersion: example.org/v1\nkind: FineTune\nmetadata: {name: llama, namespace: ml}\nspec: {replicas: 4}\nstatus: {phase: Failed}\n", "1 object of kind FineTune.example.org was not read as a job (ml/llama)", "not enough was read to say", exitUnknown},
		"a pod that waits":    {"apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b}\nspec: {containers: [{name: c}]}\nstatus: {phase: Running}\n", "", "nothing to look at", exitDone},
	} {
		out, messages, code := command(t, "", "diagnose", "--from", page(t, "file.yaml", f.text))
		if code != f.code || !strings.Contains(out, f.out) || !strings.Contains(messages, f.messages) {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, messages)
		}
	}
	if _, messages, code := command(t, "", "gpus", "--from", page(t, "bin", strings.Repeat("\x00\x01", 99))); code != exitFailed {
		t.Errorf("gpus on binary data: exit %d: %s", code, messages)
	}
}

// runningPod is a pod of a batch Job as kubernetes 1.36 serves it.
const runningPod = `{"metadata":{"name":"bert-0","namespace":"ml","uid":"pod-1","creationTimestamp":"2026-11-20T09:00:00Z","ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"bert","uid":"job-1","controller":true}]},
"spec":{"nodeName":"gpu-0","containers":[{"name":"main","image":"a","resources":{"limits":{"nvidia.com/gpu":"8"}}}]},
"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"main","ready":true,"restartCount":0,"image":"a","imageID":"","state":{"running":{"startedAt":"2026-11-20T09:00:00Z"}}}]}}`

const runningJob = `{"metadata":{"name":"bert","namespace":"ml","uid":"job-1","creationTimestamp":"2026-11-20T09:00:00Z"},
"spec":{"completions":1,"parallelism":1,"template":{"spec":{"containers":[{"name":"main","image":"a","resources":{"limits":{"nvidia.com/gpu":"8"}}}]}}},"status":{"active":1,"ready":1,"startTime":"2026-11-20T09:00:00Z"}}`

// failedItem is an item of runningPod and runningJob after they failed.
func failedItem(item string) string {
	return strings.NewReplacer(`"phase":"Running"`, `"phase":"Failed"`, `"ready":true`, `"ready":false`,
		`"running":{"startedAt":"2026-11-20T09:00:00Z"}`, `"terminated":{"exitCode":1,"reason":"Error","startedAt":"2026-11-20T09:00:00Z","finishedAt":"2026-11-20T09:05:00Z"}`,
		`"status":{"active":1,"ready":1,`, `"status":{"failed":1,"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded","lastTransitionTime":"2026-11-20T09:05:00Z"}],`).Replace(item)
}

// apiServer serves one job that runs, and answers requests for logs with a code: 204
// represents an empty log of a job that failed.
func apiServer(t *testing.T, logs int) (kubeconfig string) {
	t.Helper()
	lists := map[string]string{
		"/version": `{"major":"1","minor":"36","gitVersion":"v1.36.0"}`,
		"/api":     `{"kind":"APIVersions","versions":["v1"]}`,
		"/apis":    `{"kind":"APIGroupList","groups":[{"name":"batch","versions":[{"groupVersion":"batch/v1","version":"v1"}],"preferredVersion":{"groupVersion":"batch/v1","version":"v1"}}]}`,
		"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","namespaced":true,"kind":"Pod","verbs":["list","watch","get"]},
			{"name":"events","namespaced":true,"kind":"Event","verbs":["list","watch","get"]},{"name":"nodes","namespaced":false,"kind":"Node","verbs":["list","watch","get"]},{"name":"namespaces","namespaced":false,"kind":"Namespace","verbs":["list","watch","get"]}]}`,
		"/apis/batch/v1": `{"kind":"APIResourceList","groupVersion":"batch/v1","resources":[{"name":"jobs","namespaced":true,"kind":"Job","verbs":["list","watch","get"]}]}`,
	}
	kinds := map[string]string{"/api/v1/pods": "PodList", "/api/v1/namespaces": "NamespaceList", "/apis/batch/v1/jobs": "JobList", "/api/v1/events": "EventList", "/api/v1/nodes": "NodeList"}
	items := map[string]string{"/api/v1/pods": runningPod, "/apis/batch/v1/jobs": runningJob, "/api/v1/namespaces": `{"metadata":{"name":"ml"}}`,
		"/api/v1/nodes": `{"metadata":{"name":"gpu-0"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}`}
	if logs == http.StatusNoContent {
		for path, item := range items {
			items[path] = failedItem(item)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		list := strings.Replace(r.URL.Path, "/namespaces/ml/", "/", 1)
		item := items[list]
		switch {
		case strings.HasSuffix(r.URL.Path, "/log"):
			if logs == http.StatusNoContent { // it is there and empty
				w.WriteHeader(http.StatusOK)
				return
			}
			w.WriteHeader(logs)
			if logs == http.StatusOK {
				fmt.Fprintln(w, time.Now().UTC().Format(time.RFC3339)+" step 1 loss 2.5")
				return
			}
			fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"pods is not for you","reason":"Forbidden"}`, logs)
		case r.URL.Query().Get("watch") != "":
			<-r.Context().Done()
		case r.URL.Path == "/api/v1/namespaces/ml/pods/bert-0":
			fmt.Fprint(w, strings.Replace(items["/api/v1/pods"], "{", `{"kind":"Pod","apiVersion":"v1",`, 1))
		case lists[r.URL.Path] != "":
			fmt.Fprint(w, lists[r.URL.Path])
		default:
			version := map[bool]string{true: "batch/v1", false: "v1"}[strings.HasPrefix(r.URL.Path, "/apis/")]
			fmt.Fprintf(w, `{"kind":%q,"apiVersion":%q,"metadata":{"resourceVersion":"1"},"items":[%s]}`, kinds[list], version, item)
		}
	}))
	t.Cleanup(server.CloseClientConnections)
	t.Cleanup(server.Close)
	kubeconfig = filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf(`{"kind":"Config","apiVersion":"v1","current-context":"a","clusters":[{"name":"a","cluster":{"server":%q}}],"users":[{"name":"a","user":{"token":"x"}}],"contexts":[{"name":"a","context":{"cluster":"a","user":"a","namespace":"ml"}}]}`, server.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

// TestDiagnoseWaitsForTheLastHour: the last hour of Prometheus is part of the answer
// where it comes soon.
func TestDiagnoseWaitsForTheLastHour(t *testing.T) {
	var hours atomic.Int32
	measures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		gpu := `"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL","gpu":"0","UUID":"GPU-00000001-0000","Hostname":"gpu-0","namespace":"ml","pod":"bert-0"}`
		now := time.Now().Unix()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.Contains(r.URL.Path, "/label/"):
			fmt.Fprint(w, `{"status":"success","data":["DCGM_FI_DEV_GPU_UTIL"]}`)
		case strings.HasSuffix(r.URL.Path, "/query_range"):
			time.Sleep(300 * time.Millisecond)
			if r.Context().Err() == nil {
				hours.Add(1)
			}
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{%s,"values":[[%d,"0"],[%d,"0"]]}]}}`, gpu, now-120, now-60)
		default:
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{%s,"value":[%d,"%d"]}]}}`, gpu, now, now)
		}
	}))
	defer measures.Close()
	var out, complaints bytes.Buffer
	a := &app{out: &out, err: &complaints, clock: time.Now}
	a.run(t.Context(), []string{"--kubeconfig", apiServer(t, http.StatusOK), "--prometheus", measures.URL, "diagnose", "bert"})
	if hours.Load() == 0 || strings.Contains(out.String(), "last hour") {
		t.Errorf("the last hour was read %d times: %s%s", hours.Load(), &out, &complaints)
	}
}

// A job whose logs were all refused or failed is not reported to be well.
func TestDiagnoseWhereLogsDoNotCome(t *testing.T) {
	for _, f := range []struct {
		logs int
		want string
		code int
	}{
		{http.StatusForbidden, "not enough was read to say: whether anything is wrong is not known because the log of rank 0 was refused", exitUnknown},
		{http.StatusOK, "nothing wrong: it is running.\n  Looked at: the object of the job, its pods, events, log of rank 0", exitDone},
	} {
		config := apiServer(t, f.logs)
		var stdout, stderr bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
		code := a.run(t.Context(), []string{"--kubeconfig", config, "--prometheus", "off", "diagnose", "bert"})
		if code != f.code || !strings.Contains(stdout.String(), f.want) {
			t.Errorf("logs answer %d: exit %d\n%s%s", f.logs, code, stdout.String(), stderr.String())
		}
	}
}

// A log of a rank that failed and that is empty is named by the commands that print it.
func TestEmptyLogOfAFailedRank(t *testing.T) {
	config := apiServer(t, http.StatusNoContent)
	for _, args := range [][]string{{"logs", "bert"}, {"curves", "bert"}} {
		var stdout, stderr bytes.Buffer
		a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
		code := a.run(t.Context(), append([]string{"--kubeconfig", config, "--prometheus", "off"}, args...))
		if !strings.Contains(stderr.String(), "rotated the log away") || code != exitDone {
			t.Errorf("%v: exit %d\n%s%s", args, code, stdout.String(), stderr.String())
		}
	}
}

// A job that may be among unread objects is never reported as missing.
func TestJobThatCouldNotBeRead(t *testing.T) {
	path := page(t, "cut.yaml", failedJob+"---\nkind: Pod\napiVersion: v1\nmetadata: {name: [\n")
	const sentence = `whether there is a job "llama" in `
	for name, want := range map[string]int{"diagnose": exitUnknown, "logs": exitUnknown, "curves": exitUnknown, "jobs": exitUnknown} {
		if _, messages, code := command(t, "", name, "llama", "--from", path); code != want || !strings.Contains(messages, sentence) || !strings.Contains(messages, "cut.yaml") {
			t.Errorf("%s: exit %d: %s", name, code, messages)
		}
	}
	out, _, code := command(t, "", "diagnose", "llama", "-o", "json", "--from", path)
	var got diagnosisAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitUnknown || got.Verdict != "not-enough-read" || len(got.Missing) != 1 {
		t.Errorf("exit %d: %v\n%s", code, err, out)
	}
	for flag, want := range map[string]string{"-l=team=b": "its labels do not match -l team=b", "-n=other": "-n or the context names other"} {
		if _, messages, code := command(t, "", "diagnose", "ml/bert", flag, "--from", page(t, "job.yaml", failedJob)); code != exitFailed || !strings.Contains(messages, want) || strings.Contains(messages, "no job") {
			t.Errorf("%s: %q, %d, want %q", flag, messages, code, want)
		}
	}
	if _, messages, code := command(t, "", "diagnose", "llama", "--from", page(t, "job.yaml", failedJob)); code != exitFailed || !strings.Contains(messages, `there is no job "llama"`) {
		t.Errorf("exit %d: %s", code, messages)
	}
}

// The verdict that nothing is wrong with a running job comes with what was not read
// of it: for all jobs as for one.
func TestRunningJobsWithoutLogs(t *testing.T) {
	dump := `{"apiVersion":"v1","kind":"List","items":[` + strings.Replace(runningJob, "{", `{"apiVersion":"batch/v1","kind":"Job",`, 1) + "," + strings.Replace(runningPod, "{", `{"apiVersion":"v1","kind":"Pod",`, 1) + `]}`
	path := page(t, "dump.json", dump)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "Nothing wrong in 1 job, of which no log was read.\n"},
		{[]string{"bert"}, "nothing wrong: it is running, and none of its logs was read.\n"},
		{[]string{"-o", "json"}, `"sentence": "it is running, and none of its logs was read"`},
	} {
		if out, messages, _ := command(t, "", append([]string{"diagnose", "--from", path}, c.args...)...); !strings.Contains(out, c.want) {
			t.Errorf("%v: no %q in\n%s%s", c.args, c.want, out, messages)
		}
	}
}
