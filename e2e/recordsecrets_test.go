package e2e

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// plantedSecrets are secrets by where they are planted: in the environment,
// arguments, annotations and managed fields of a pod, in kubectl's copy of an
// applied object, in ConfigMaps and Secrets, in events and in the log. They are
// put together here, so that no search for secrets finds them in this file.
var plantedSecrets = map[string]string{
	"env by shape":       "hf_" + "QzWxEcRvTbYnUmIkOlPaSdFgHjKlZxCvBn",
	"env by name":        "Tr0ub4dor-and-3",
	"argument by flag":   "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
	"argument in a URL":  "sw0rdf1sh-at-sea",
	"applied annotation": "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
	"own annotation":     "glpat-" + "x1Y2z3A4b5C6d7E8f9G0",
	"job's environment":  "AKIA" + "IOSFODNN7QWERTYU",
	"ConfigMap":          "correct-horse-battery-staple",
	"Secret":             "purple-monkey-dishwasher",
	"event":              "sk-ant-api03-" + strings.Repeat("aB3dE6gH9j", 9) + "xyzAA",
	"log by shape":       "nvapi-" + strings.Repeat("kL0mN1oP", 8),
	"log by name":        "s3cr3t-s4uc3",
	"log header":         "mF9ZB5f4B1JqMabcdefgHIJKLmnopQRS",
	"log key file":       "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtz",
	"log when it failed": "xoxb-" + "123456789012-AbCdEfGhIjKlMnOpQrStUvWx",
}

// No planted secret in objects, events and logs of a real cluster is in the
// file, byte by byte, packed or unpacked; and its notes count those that were
// masked.
func TestPlantedSecretsAreNotInARecording(t *testing.T) {
	t.Parallel()
	const namespace = "record-secrets"
	namespaces(t, namespace)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	live := record(t, namespace, path)
	live.settled()
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	filled := func(text string) string {
		var pairs []string
		for name, secret := range plantedSecrets {
			pairs = append(pairs, "<"+name+">", secret, "<base64 "+name+">", base64.StdEncoding.EncodeToString([]byte(secret)))
		}
		return strings.NewReplacer(pairs...).Replace(text)
	}
	must(t, plays.ApplyOwned(t.Context(), filled(`
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {password: "<ConfigMap>", train.yaml: "hub: {password: <ConfigMap>}"}
---
apiVersion: v1
kind: Secret
metadata:
  name: token
  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"Secret","stringData":{"password":"<Secret>"},"data":{"password":"<base64 Secret>"}}'}
data: {password: <base64 Secret>}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: bert
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","spec":{"env":[{"name":"GITHUB_TOKEN","value":"<applied annotation>"}]}}'
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 1, restartPolicy: Never, template: {spec: {containers: [{name: pytorch, image: train:1, env: [{name: AWS_ACCESS_KEY_ID, value: "<job's environment>"}]}]}}}
---
apiVersion: v1
kind: Pod
metadata:
  name: bert-worker-0
  annotations: {e2e/owner: PyTorchJob/bert, example.com/clone: "git clone with <own annotation>"}
  labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/operator-name: pytorchjob-controller, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}
spec:
  containers:
  - name: pytorch
    image: train:1
    command: [python, train.py]
    args: [--wandb-key, "<argument by flag>", "--db=postgresql://ada:<argument in a URL>@db.svc:5432/runs"]
    env: [{name: HF_HOME_LOGIN, value: "<env by shape>"}, {name: DB_PASSWORD, value: "<env by name>"}]
---
apiVersion: v1
kind: Event
metadata: {name: bert-worker-0.1}
involvedObject: {kind: Pod, name: bert-worker-0, namespace: record-secrets}
reason: FailedPostStartHook
message: "hook failed: judge <event> was refused"
type: Warning
`)))
	log := newContainerLog(t, "bert")
	serveLogs(t, plays, "bert-worker-0", log, nil)
	live.followLogs("bert", true)
	log.print(strings.Split(filled(strings.Join([]string{
		"step: 1/2000 loss: 9.5 lr: 0.001",
		"docker login nvcr.io -p <log by shape>",
		"export MLFLOW_TRACKING_PASSWORD=<log by name>",
		"DEBUG:urllib3 Authorization: Bearer <log header>",
		"-----BEGIN OPENSSH PRIVATE KEY-----", "<log key file>", "-----END OPENSSH PRIVATE KEY-----",
		"step: 2/2000 loss: 9.4 lr: 0.001",
		"Traceback (most recent call last):",
		"slack_sdk.errors.SlackApiError: token <log when it failed> has been revoked",
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.21 GiB is free.",
	}, "\n")), "\n")...)
	live.untilLogged(soon, "bert", 0, log.printed)
	live.until(soon, func(snapshot *store.Snapshot) error {
		events := 0
		snapshot.Objects(kinds.EventKind, namespace, func(o kinds.Object) bool { events++; return true })
		if events == 0 {
			return errors.New("the event did not come")
		}
		return errors.Join(holds(snapshot, "ConfigMap", namespace, "settings"), holds(snapshot, "Secret", namespace, "token"))
	})
	checkManagedFields(t, namespace)
	time.Sleep(3 * time.Second) // until more than one piece is written
	must(t, live.writer.Close())

	all := unpacked(t, path)
	for name, secret := range plantedSecrets {
		for as, text := range map[string]string{"": secret, " in base64": base64.StdEncoding.EncodeToString([]byte(secret))} {
			if at := bytes.Index(all, []byte(text)); at >= 0 {
				t.Errorf("%s%s is in the recording, in %q", name, as, all[max(0, at-80):min(len(all), at+len(text)+20)])
			}
		}
	}
	for _, kept := range []string{"bert-worker-0", "step: 2/2000", "CUDA out of memory", "hook failed: judge", "git clone with", "DB_PASSWORD"} {
		if !bytes.Contains(all, []byte(kept)) {
			t.Errorf("%q, which is no secret, is not in the recording", kept)
		}
	}
	file, err := recording.Open(path)
	must(t, err)
	defer func() { must(t, file.Close()) }()
	total := 0
	for _, n := range file.Info().Redacted {
		total += n
	}
	// secrets that a live cluster blanks before they are stored are not counted
	if total < 8 {
		t.Errorf("the file counts %v", file.Info().Redacted)
	}
	t.Logf("%d planted, counted %v", len(plantedSecrets), file.Info().Redacted)
}

// checkManagedFields makes sure that the server keeps, for the planted pod, the
// managed fields that redaction has to search.
func checkManagedFields(t *testing.T, namespace string) {
	t.Helper()
	pod := named("v1", "Pod", namespace, "bert-worker-0")
	resource, err := cluster.Resource(pod)
	must(t, err)
	got, err := resource.Get(t.Context(), pod.GetName(), metav1.GetOptions{})
	must(t, err)
	if fields, _, _ := unstructured.NestedSlice(got.Object, "metadata", "managedFields"); len(fields) == 0 {
		t.Error("the server has no managedFields of the pod, so nothing is tested of them")
	}
	if !strings.Contains(fmt.Sprint(got.Object), plantedSecrets["env by name"]) {
		t.Error("the server does not have what was planted")
	}
}
