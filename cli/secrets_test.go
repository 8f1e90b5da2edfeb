package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext/corpus"
	"github.com/traintop/traintop/train"
)

// plantedPlaces are where texts of a cluster come from.
var plantedPlaces = []string{"log", "metric", "env", "argument", "annotation", "event", "terminated", "condition", "waiting", "probe"}

// planted is a text with secrets of every sort, and the secrets.
func planted(place string) (text string, secrets []string) {
	var parts []string
	for i, sort := range corpus.SecretForms() {
		secret := fmt.Sprintf("s3cr%dx%s", i, place)
		secrets = append(secrets, secret)
		parts = append(parts, fmt.Sprintf(sort, secret))
	}
	return strings.Join(parts, " ; "), secrets
}

// plantedCluster is a failed job and its log with secrets in every place.
func plantedCluster(t *testing.T) (folder string, secrets []string) {
	t.Helper()
	texts := []string{}
	secrets = append(secrets, "hf_AbCdEfGhIj", "s3cr0xkey", "s3cr1xkey")
	for _, place := range plantedPlaces {
		text, some := planted(place)
		secrets = append(secrets, some...)
		texts = append(texts, "@"+place, text)
	}
	fill := strings.NewReplacer(texts...)
	folder = t.TempDir()
	for name, text := range map[string]string{"cluster.yaml": plantedObjects, "train-master-0.log": plantedLog} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(fill.Replace(text)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder, secrets
}

const plantedLog = `step 1 loss 2.5
step 2 loss 2.4 hf_AbCdEfGhIjKlMnOpQrStUvs3cr2xmetric: 3
connecting @metric
Traceback (most recent call last):
  File "train.py", line 3, in <module>
RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB @log
`

const plantedObjects = `apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train, namespace: ml, uid: u1, creationTimestamp: "2026-11-20T09:00:00Z", annotations: {note: '@annotation', tool.example.com/token: s3cr0xkey, x/password: s3cr1xkey}}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template: {spec: {containers: [{name: pytorch, image: x, args: ['@argument'], env: [{name: NOTE, value: '@env'}]}]}}
status:
  conditions:
  - {type: Failed, status: "True", reason: PyTorchJobFailed, message: 'PyTorchJob train is failed because 1 Master replica(s) failed: @condition', lastTransitionTime: "2026-11-20T09:30:00Z"}
---
apiVersion: v1
kind: Pod
metadata:
  name: train-master-0
  namespace: ml
  uid: u2
  creationTimestamp: "2026-11-20T09:00:00Z"
  labels: {training.kubeflow.org/job-name: train, training.kubeflow.org/replica-type: master, training.kubeflow.org/replica-index: "0"}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: train, uid: u1, controller: true}]
spec: {nodeName: a, containers: [{name: pytorch, image: x, args: ['@argument'], env: [{name: NOTE, value: '@env'}]}]}
status:
  phase: Failed
  message: '@condition'
  containerStatuses:
  - {name: pytorch, image: x, ready: false, restartCount: 0, state: {terminated: {exitCode: 1, reason: Error, message: '@terminated', finishedAt: "2026-11-20T09:30:00Z"}}}
---
apiVersion: v1
kind: Pod
metadata:
  name: other-master-0
  namespace: ml
  uid: u4
  creationTimestamp: "2026-11-20T09:00:00Z"
  labels: {training.kubeflow.org/job-name: other, training.kubeflow.org/replica-type: master, training.kubeflow.org/replica-index: "0"}
  ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: other, uid: u3, controller: true}]
spec: {nodeName: a, containers: [{name: pytorch, image: x}]}
status:
  phase: Pending
  containerStatuses:
  - {name: pytorch, image: x, ready: false, restartCount: 0, state: {waiting: {reason: CreateContainerError, message: '@waiting'}}}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: other, namespace: ml, uid: u3, creationTimestamp: "2026-11-20T09:00:00Z"}
spec:
  pytorchReplicaSpecs:
    Master: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: x}]}}}
---
apiVersion: v1
kind: Event
metadata: {name: e1, namespace: ml, uid: e1}
type: Warning
reason: Failed
message: 'Error: @event'
involvedObject: {apiVersion: v1, kind: Pod, name: other-master-0, namespace: ml, uid: u4}
lastTimestamp: "2026-11-20T09:30:00Z"
---
apiVersion: v1
kind: Event
metadata: {name: e2, namespace: ml, uid: e2}
type: Warning
reason: FailedMount
message: 'MountVolume.SetUp failed for volume "data" : mount failed: exit status 32 @probe'
involvedObject: {apiVersion: v1, kind: Pod, name: other-master-0, namespace: ml, uid: u4}
lastTimestamp: "2026-11-20T09:30:00Z"
`

// TestSecretsThroughEverySurface plants secrets of every sort in every place
// and looks for each of them in all output that a person may paste.
func TestSecretsThroughEverySurface(t *testing.T) {
	folder, secrets := plantedCluster(t)
	recording := filepath.Join(t.TempDir(), "one.ttrec")
	for _, surface := range []struct {
		args  []string
		holds string // text that shows that the planted text is in the output
	}{
		{[]string{"diagnose", "--from", folder}, "Tried to allocate 2.87 GiB password=<redacted:password>"},
		{[]string{"diagnose", "-o", "json", "--from", folder}, "Tried to allocate 2.87 GiB password=<redacted:password>"},
		{[]string{"diagnose", "train", "--from", folder}, "<redacted:url-password>"},
		{[]string{"diagnose", "--from", filepath.Join(folder, "train-master-0.log")}, "<redacted:url-password>"},
		{[]string{"diagnose", "--from", filepath.Join(folder, "cluster.yaml")}, "password=***"},
		{[]string{"jobs", "--from", folder}, "cannot mount volume data"},
		{[]string{"jobs", "-o", "wide", "--from", folder}, "cannot mount volume data"},
		{[]string{"jobs", "-o", "json", "--from", folder}, "password=***"},
		{[]string{"jobs", "-o", "yaml", "--from", folder}, "password=***"},
		{[]string{"curves", "--from", folder}, "<redacted:hf-"},
		{[]string{"curves", "-o", "csv", "--from", folder}, "loss,<redacted:hf-token>"},
		{[]string{"curves", "-o", "json", "--from", folder}, "\"<redacted:hf-token>\": 3"},
		{[]string{"gpus", "--from", folder}, ""},
		{[]string{"gpus", "-o", "json", "--from", folder}, ""},
		{[]string{"record", "--from", folder, "--job", "ml/PyTorchJob/train", "-o", recording}, ""},
		{[]string{"logs", "train", "--from", recording}, "<redacted:password>"},
		{[]string{"diagnose", "--from", recording}, "<redacted:password>"},
		{[]string{"jobs", "-o", "json", "--from", recording}, "exit code 1"},
		{[]string{"jobs", "password=s3cr0xlog", "--from", folder}, ""},
	} {
		out, messages, _ := command(t, "", surface.args...)
		for _, secret := range secrets {
			if strings.Contains(out+messages, secret) {
				t.Errorf("%s prints %s:\n%s%s", surface.args, secret, out, messages)
				break
			}
		}
		if !strings.Contains(out, surface.holds) {
			t.Errorf("%s lacks %q:\n%s%s", surface.args, surface.holds, out, messages)
		}
	}
}

func TestNamesInAnswersStay(t *testing.T) {
	const answer = `{"name": "sk-finetune-llama-0a1b2c3d4e5f", "reason": "api_key=hunter2 \"x\"", "metrics": {"password=hunter2": 1}, "list": ["--x", "a\\"]}`
	const want = `{"name": "sk-finetune-llama-0a1b2c3d4e5f", "reason": "api_key=<redacted:key> \"x\"", "metrics": {"password=<redacted:password>": 1}, "list": ["--x", "a\\"]}`
	if got := string(jsontext.Mask([]byte(answer))); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// TestReasonsOfALiveClusterAreShownWithoutSecrets: objects of files are masked
// when read, those of a cluster are not.
func TestReasonsOfALiveClusterAreShownWithoutSecrets(t *testing.T) {
	job := &train.Job{Ref: train.Ref{Kind: "PyTorchJob", Name: "train"}, Reason: "curl -u ada:hunter2 https://x"}
	snapshot := store.New(func() time.Time { return time.Unix(0, 0) }).Snapshot()
	for _, format := range jobFormats {
		var out bytes.Buffer
		if err := (&session{selector: labels.Everything()}).printJobs(&out, []*train.Job{job}, snapshot, format); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "hunter2") || !strings.Contains(out.String(), "<redacted:password>") && format != "name" {
			t.Errorf("%s: %s", format, &out)
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(process.Messages{Writer: &out}, "traintop: %s: %s\n", "kube/pods", "pods is forbidden: "+job.Reason)
	if want := "traintop: kube/pods: pods is forbidden: curl -u ada:<redacted:password> https://x\n"; out.String() != want {
		t.Errorf("%q", &out)
	}
}

// TestRecordingHoldsNoPasswordOfTheAddress holds that a recording names its
// cluster without what the address contains about its user.
func TestRecordingHoldsNoPasswordOfTheAddress(t *testing.T) {
	kubeconfig := page(t, "config", `{"kind":"Config","apiVersion":"v1","current-context":"a","clusters":[{"name":"a","cluster":{"server":"http://ada:s3cr3tPAss@127.0.0.1:1/?token=s3cr3tQuery"}}],"users":[{"name":"a","user":{}}],"contexts":[{"name":"a","context":{"cluster":"a","user":"a"}}]}`)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	_, messages, _ := command(t, "", "--kubeconfig", kubeconfig, "record", "-o", path, "--for", "1s")
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `"source":"http://127.0.0.1:1/"`) || strings.Contains(string(text)+messages, "s3cr3t") {
		t.Errorf("error %v, messages %s, recording %.400q", err, messages, text)
	}
}
