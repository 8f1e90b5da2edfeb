package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// world are the objects of a small cluster by the path of their list
// (kubernetes 1.36 and Kueue 0.15, trimmed).
type world map[string][]string

const (
	jobsPath      = "/apis/batch/v1/jobs"
	workloadsPath = "/apis/kueue.x-k8s.io/v1beta2/workloads"
	queuesPath    = "/apis/kueue.x-k8s.io/v1beta2/localqueues"
)

// listKinds are the lists that are served, and their kinds.
var listKinds = map[string]string{
	"/api/v1/pods": "Pod", "/api/v1/nodes": "Node", "/api/v1/events": "Event", "/api/v1/persistentvolumeclaims": "PersistentVolumeClaim", "/api/v1/persistentvolumes": "PersistentVolume",
	"/api/v1/resourcequotas": "ResourceQuota", "/api/v1/limitranges": "LimitRange", "/api/v1/services": "Service", "/api/v1/serviceaccounts": "ServiceAccount", "/api/v1/namespaces": "Namespace",
	"/api/v1/secrets": "Secret", "/api/v1/configmaps": "ConfigMap", "/apis/storage.k8s.io/v1/storageclasses": "StorageClass",
	jobsPath: "Job", workloadsPath: "Workload", queuesPath: "LocalQueue",
}

const template = `template: {spec: {containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}`

func batchJob(name, more, status string) string {
	return fmt.Sprintf(`{apiVersion: batch/v1, kind: Job, metadata: {name: %s, namespace: ml, uid: %s, creationTimestamp: "2026-11-20T09:00:00Z"%s}, spec: {%s completions: 1, parallelism: 1, %s}, status: {%s}}`,
		name, name, more, map[bool]string{true: "suspend: true,"}[strings.Contains(more, "queue-name")], template, status)
}

func podOfJob(name, node, status string) string {
	return fmt.Sprintf(`{metadata: {name: %s-0, namespace: ml, uid: pod-%s, creationTimestamp: "2026-11-20T09:00:00Z", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: %s, controller: true}]}, spec: {nodeName: %s, restartPolicy: Never, containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {%s}}`,
		name, name, name, name, node, status)
}

// busy has a job that runs, one that waits in a queue and one that failed.
func busy() world {
	return world{
		"/api/v1/namespaces": {`{metadata: {name: ml}}`},
		"/api/v1/nodes":      {`{metadata: {name: gpu-0}, status: {capacity: {nvidia.com/gpu: "8"}, allocatable: {nvidia.com/gpu: "8", cpu: "8", memory: 64Gi, pods: "110"}, conditions: [{type: Ready, status: "True"}]}}`},
		jobsPath: {
			batchJob("runs", "", `active: 1, ready: 1, startTime: "2026-11-20T09:00:00Z"`),
			batchJob("waits", `, labels: {kueue.x-k8s.io/queue-name: team}`, `conditions: [{type: Suspended, status: "True"}]`),
			batchJob("fails", "", `failed: 1, conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, message: "Job has reached the specified backoff limit"}]`),
		},
		"/api/v1/pods": {
			podOfJob("runs", "gpu-0", `phase: Running, conditions: [{type: Ready, status: "True"}], containerStatuses: [{name: main, ready: true, restartCount: 0, image: a, imageID: "", state: {running: {startedAt: "2026-11-20T09:00:00Z"}}}]`),
			podOfJob("fails", "gpu-0", `phase: Failed, containerStatuses: [{name: main, ready: false, restartCount: 0, image: a, imageID: "", state: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-11-20T09:05:00Z"}}}]`),
		},
		workloadsPath: {`{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ml, uid: w, creationTimestamp: "2026-11-20T09:00:00Z", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: waits, uid: waits, controller: true}]}, spec: {queueName: team}}`},
		queuesPath:    {`{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: team, namespace: ml, uid: q}, spec: {clusterQueue: all}}`},
	}
}

// serve answers as an API server of a world does, and answers the absent lists
// with fails.
func (o world) serve(t *testing.T, absent []string, fails http.HandlerFunc) (kubeconfig string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		list := strings.Replace(r.URL.Path, "/namespaces/ml/", "/", 1)
		kind := listKinds[list]
		switch {
		case r.URL.Path == "/version":
			fmt.Fprint(w, `{"major":"1","minor":"36","gitVersion":"v1.36.0"}`)
		case r.URL.Path == "/apis":
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			fmt.Fprint(w, discovered())
		case r.URL.Path == "/api/v1/namespaces/ml":
			fmt.Fprint(w, `{"kind":"Namespace","apiVersion":"v1","metadata":{"name":"ml"}}`)
		case slices.Contains(absent, list), slices.Contains(absent, "all of "+r.URL.Path):
			fails(w, r)
		case kind == "":
			w.WriteHeader(http.StatusNotFound)
		case r.URL.Query().Get("watch") != "":
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			items := make([]string, 0, 3)
			for _, text := range o[list] {
				item, err := yaml.YAMLToJSON([]byte(text))
				if err != nil {
					t.Error(err)
				}
				items = append(items, string(item))
			}
			version := strings.TrimPrefix(strings.TrimPrefix(path.Dir(list), "/apis/"), "/api/")
			fmt.Fprintf(w, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"1"},"items":[%s]}`, kind, version, strings.Join(items, ","))
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	kubeconfig = filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf(`{"kind":"Config","apiVersion":"v1","current-context":"a","clusters":[{"name":"a","cluster":{"server":%q}}],"users":[{"name":"a","user":{"token":"x"}}],"contexts":[{"name":"a","context":{"cluster":"a","user":"a","namespace":"ml"}}]}`, server.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func discovered() string {
	var groups []string
	for list, kind := range listKinds {
		part := strings.Split(list, "/")
		if part[1] == "apis" {
			groups = append(groups, fmt.Sprintf(`{"metadata":{"name":%q},"versions":[{"version":%q,"freshness":"Current","resources":[{"resource":%q,"scope":"Namespaced","responseKind":{"kind":%q}}]}]}`, part[2], part[3], part[4], kind))
		}
	}
	return `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[` + strings.Join(groups, ",") + `]}`
}

func status(code int, reason string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q,"message":"no list for you"}`, code, reason)
	}
}

var failing = map[string]http.HandlerFunc{
	"403":  status(http.StatusForbidden, "Forbidden"),
	"500":  status(http.StatusInternalServerError, "InternalError"),
	"hang": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
}

// readCluster runs a command on a cluster.
func readCluster(t *testing.T, kubeconfig string, args ...string) (out, messages string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
	code = a.run(t.Context(), append([]string{"--kubeconfig", kubeconfig, "--prometheus", "off", "--request-timeout", "2s"}, args...))
	return stdout.String(), stderr.String(), code
}

// TestEachAbsentList holds that an answer that lacks a list names it, whatever
// the list and why it is missing.
func TestEachAbsentList(t *testing.T) {
	decisive := map[string][]string{ // lists without which jobs may not be called well
		"/api/v1/pods": {"runs", "fails"}, "/api/v1/events": nil, "/api/v1/nodes": nil, jobsPath: {"runs"}, workloadsPath: {"waits"},
		queuesPath: nil, "/api/v1/resourcequotas": nil, "/api/v1/limitranges": nil, "/api/v1/persistentvolumeclaims": nil, "/api/v1/services": nil, "/api/v1/namespaces": nil,
	}
	for list, doubted := range decisive {
		for how, fails := range failing {
			if how == "hang" && !slices.Contains([]string{"/api/v1/pods", jobsPath, workloadsPath}, list) {
				continue
			}
			t.Run(how+list, func(t *testing.T) {
				t.Parallel()
				config, name := busy().serve(t, []string{list}, fails), path.Base(list)
				for _, args := range [][]string{{"jobs", "-A"}, {"jobs", "-A", "-o", "json"}, {"diagnose", "-A"}, {"diagnose", "-A", "-o", "json"}, {"gpus"}, {"gpus", "-o", "json"}} {
					out, messages, _ := readCluster(t, config, args...)
					if printed := out + map[bool]string{true: messages}[!slices.Contains(args, "json")]; !strings.Contains(printed, name) {
						t.Errorf("%v does not name %s:\n%s%s", args, name, out, messages)
					}
					if strings.Contains(out+messages, "No training jobs") || strings.Contains(out+messages, "No GPUs") {
						t.Errorf("%v says that there is nothing:\n%s%s", args, out, messages)
					}
					if strings.Contains(out, "queuePlace") && slices.Contains([]string{workloadsPath, queuesPath, jobsPath}, list) {
						t.Errorf("%v invents a place in the queue:\n%s", args, out)
					}
					var answer diagnosisAnswer
					_ = json.Unmarshal([]byte(out), &answer) // text is none
					for _, v := range answer.Verdicts {
						if v.Verdict == "nothing-wrong" && slices.Contains(doubted, path.Base(v.Job)) {
							t.Errorf("%s: %+v", v.Job, v)
						}
					}
				}
			})
		}
	}
}

// TestEmptyAnswers holds that "there is nothing" is printed only where all
// sources that may hold it were read; otherwise the answer names those that
// were not, and the exit code is 3.
func TestEmptyAnswers(t *testing.T) {
	idle := world{"/api/v1/namespaces": {`{metadata: {name: ml}}`}}
	for _, f := range []struct {
		absent []string
		jobs   int // exit code
		gpus   int
	}{
		{nil, exitDone, exitDone},
		{[]string{"/api/v1/services", "/api/v1/secrets"}, exitDone, exitDone},
		{[]string{"/api/v1/pods"}, exitUnknown, exitUnknown},
		{[]string{"/api/v1/nodes"}, exitDone, exitUnknown},
		{[]string{jobsPath}, exitUnknown, exitDone},
		{[]string{jobsPath, "/api/v1/pods"}, exitUnknown, exitUnknown},
	} {
		for how, fails := range failing {
			if how == "hang" && (len(f.absent) != 1 || f.absent[0] == "/api/v1/nodes") {
				continue
			}
			t.Run(how+strings.Join(f.absent, ","), func(t *testing.T) {
				t.Parallel()
				config := idle.serve(t, f.absent, fails)
				for command, code := range map[string]int{"jobs": f.jobs, "gpus": f.gpus} {
					out, messages, got := readCluster(t, config, command)
					if got != code || (code == exitUnknown) != strings.Contains(out, "Not enough was read to say") || (code == exitUnknown) == strings.Contains(messages, "No ") {
						t.Errorf("%s: exit %d, want %d\n%s%s", command, got, code, out, messages)
					}
					out, _, got = readCluster(t, config, command, "-o", "json")
					if got != code || !json.Valid([]byte(out)) || (code == exitUnknown) != strings.Contains(out, `"verdict": "not-enough-read"`) || (code == exitUnknown) != strings.Contains(out, "whether there are") {
						t.Errorf("%s -o json: exit %d, want %d\n%s", command, got, code, out)
					}
				}
			})
		}
	}
}

// TestRightsInOneNamespace holds that an answer about all namespaces names
// those that were read, where not all may be.
func TestRightsInOneNamespace(t *testing.T) {
	var all []string
	for list := range listKinds {
		all = append(all, "all of "+list)
	}
	config := busy().serve(t, all, failing["403"])
	for _, f := range []struct {
		args []string
		code int
	}{{[]string{"jobs", "-A"}, exitDone}, {[]string{"jobs", "-A", "-o", "json"}, exitDone}, {[]string{"diagnose", "-A"}, exitUnknown}, {[]string{"diagnose", "-A", "-o", "json"}, exitUnknown}, {[]string{"gpus"}, exitDone}, {[]string{"gpus", "-o", "json"}, exitDone}} {
		out, messages, code := readCluster(t, config, f.args...)
		if printed := out + messages; code != f.code || !strings.Contains(printed, "read instead: namespace ml") {
			t.Errorf("%v: exit %d, want %d\n%s%s", f.args, code, f.code, out, messages)
		}
		if slices.Contains(f.args, "json") && !strings.Contains(out, "read instead: namespace ml") {
			t.Errorf("%v:\n%s", f.args, out)
		}
	}
	empty := world{}.serve(t, all, failing["403"])
	for _, command := range []string{"jobs", "diagnose"} {
		if out, messages, code := readCluster(t, empty, command, "-A"); code != exitUnknown || !strings.Contains(out, "Not enough was read to say") {
			t.Errorf("%s: exit %d\n%s%s", command, code, out, messages)
		}
	}
}
