package eventmask

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// secrets are assembled here so that no secret scanner finds them in this file.
// Only the names of the last ones make them secret.
var (
	hf      = "hf_" + strings.Repeat("aBcDeFg", 5)
	github  = "ghp_" + strings.Repeat("a1B2c3", 6)
	access  = "AKIA" + "QWERTYUIOP234567"
	key     = strings.Repeat("MIIEvQIBADANBgkq", 4)
	jwt     = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0." + strings.Repeat("c2ln", 10)
	plain   = "correct-horse-battery"
	secrets = []string{hf, github, access, key, jwt, plain}
)

func planted() []store.Event {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ml", Name: "bert-0", UID: "u1",
			Labels: map[string]string{"jobset.sigs.k8s.io/job-key": "57d2b3a240f5c3dc4dfa21f3a9aaf3be54f9b67e"},
			Annotations: map[string]string{
				"team/api-token": plain,
				"note":           "call with " + github,
				"kubectl.kubernetes.io/last-applied-configuration": fmt.Sprintf(
					`{"spec":{"containers":[{"env":[{"name":"DB_PASSWORD","value":%q},{"name":"LR","value":"0.1"}],"args":["--wandb-key",%q]}]}}`, plain, plain),
			},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"v:\"` + hf + `\"":{}}}`)}},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:    "pytorch",
			Command: []string{"sh", "-c", "export DB_PASSWORD=" + plain + "; python train.py --lr 0.1"},
			Args:    []string{"--hub-token", plain, "--api-key=" + plain, "--lr=0.1", "https://ada:" + plain + "@host/x"},
			Env: []corev1.EnvVar{
				{Name: "DB_PASSWORD", Value: plain}, {Name: "PLAIN_NAME", Value: hf}, {Name: "RANK", Value: "3"},
				{Name: "CONFIG", Value: base64.StdEncoding.EncodeToString([]byte(`{"a":"` + github + `"}`))},
				{Name: "TOKEN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: "hf-secret"}, Key: "token"}}},
			},
		}}},
		Status: corev1.PodStatus{Message: "pull with " + jwt + " failed"},
	}
	job := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": map[string]any{"namespace": "ml", "name": "bert"},
		"spec":   map[string]any{"runPolicy": map[string]any{"password": plain}, "replicas": int64(4), "entry": "run --token " + hf},
		"status": map[string]any{"conditions": []any{map[string]any{"message": "found " + access}}},
	}}
	stream := train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "pytorch"}
	logged := []string{
		"step 10 loss 2.31", "\x1b[32mtoken=\x1b[1m" + hf + "\x1b[0m ok", `{"msg":"{\"password\":\"` + plain + `\"}"}`, "TOKEN=" + strings.ToUpper(hf),
		"-----BEGIN RSA PRIVATE KEY-----", key, "[rank0] " + key, "step 11 loss 2.30", "Ab==", "-----END RSA PRIVATE KEY-----",
		"- name: DB_PASSWORD", "  value: " + plain, "encoded " + base64.StdEncoding.EncodeToString([]byte("token "+github)),
		"PuTTY-User-Key-File-3: ssh-ed25519", "Private-Lines: 2", key, "step 12 loss 2.29", key, "Private-MAC: 0", "step 13 loss 2.28",
	}
	var lines []train.LogLine
	for i, text := range logged {
		lines = append(lines, train.LogLine{Number: int64(i + 1), Text: text})
	}
	var all []store.Event
	all = append(all, store.Set{Kind: schema.GroupKind{Kind: "Pod"}, Object: pod},
		store.Listed{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Objects: []kinds.Object{job}},
		store.Listed{Kind: schema.GroupKind{Kind: "Event"}, Objects: []kinds.Object{&corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e"}, Message: "Failed to pull https://ada:" + plain + "@registry/x with " + jwt}}})
	for _, line := range lines { // one at a time, as they arrive
		all = append(all, store.Logged{Stream: stream, Lines: []train.LogLine{line}})
	}
	return append(all,
		store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 14, Text: "login with " + hf[:12]}}, Open: true},
		store.Logged{Stream: stream, Samples: []train.Sample{{Line: 1, Step: 10, HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 2.31}, {Name: hf, Value: 1}}}},
			Hits:   []train.LogHit{{Signature: "s", Line: 2, Text: "401 for token=" + hf, Captures: []string{hf[3:], "401", "token=" + hf}, Frame: "train.py:88 in step"}},
			Broken: []train.BrokenLine{{Number: 3, Why: "strconv.ParseFloat: parsing token=" + hf}}},
		store.HealthChanged{Health: train.Health{Source: "kube", Text: "get https://ada:" + plain + "@host: refused"}},
		store.StreamChanged{Stream: stream, Status: train.StreamStatus{State: train.StreamFailed, Text: "Authorization: Bearer " + jwt}},
		store.Clock{Now: time.Unix(1, 0)})
}

func TestNothingPlantedSurvives(t *testing.T) {
	r := New()
	before, untouched := planted(), planted()
	got := marshalled(t, r.Redact(before))
	for _, secret := range append(slices.Clone(secrets), strings.ToUpper(hf), hf[3:], hf[3:12], base64.StdEncoding.EncodeToString([]byte(github))[:24], "Ab==") {
		if at := strings.Index(got, secret); at >= 0 {
			t.Errorf("%s is still there: %s", secret, got[max(0, at-120):min(len(got), at+60)])
		}
	}
	for _, kept := range []string{"--lr=0.1", "57d2b3a240f5c3dc4dfa21f3a9aaf3be54f9b67e", "hf-secret", "step 10 loss 2.31", "step 11 loss 2.30", `"replicas":4`, "python train.py --lr 0.1", "train.py:88 in step"} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is gone", kept)
		}
	}
	if diff := cmp.Diff(marshalled(t, untouched), marshalled(t, before)); diff != "" {
		t.Errorf("what the store shares was changed: %s", diff)
	}
	counts := r.Counts()
	for _, kind := range []string{"hf-token", "git-token", "jwt", "password", "private-key", "url-password", "encoded-secret", "aws-access-key"} {
		if counts[kind] == 0 {
			t.Errorf("no %s was counted: %v", kind, counts)
		}
	}
	if counts[NotRead] > 0 {
		t.Errorf("%d objects could not be read", counts[NotRead])
	}
	again := marshalled(t, New().Redact(r.Redact(planted())))
	if diff := cmp.Diff(marshalled(t, New().Redact(planted())), again); diff != "" {
		t.Errorf("a second time changes it: %s", diff)
	}
}

// TestTypesStay: a reader of the store can cast redacted values to the same types.
func TestTypesStay(t *testing.T) {
	before := planted()
	for i, event := range New().Redact(before) {
		set, is := event.(store.Set)
		if !is {
			continue
		}
		if fmt.Sprintf("%T", set.Object) != fmt.Sprintf("%T", before[i].(store.Set).Object) {
			t.Errorf("%T became %T", before[i].(store.Set).Object, set.Object)
		}
		pod := set.Object.(*corev1.Pod)
		env := pod.Spec.Containers[0].Env
		if env[2].Value != "3" || env[4].ValueFrom.SecretKeyRef.Key != "token" || env[0].Value != "<redacted:password>" || pod.UID != "u1" {
			t.Errorf("the environment is %v", env)
		}
	}
}

func TestWhatIsCleanIsPassedOn(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "p"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Args: []string{"--max-tokens", "4096"}}}}}
	lines := []train.LogLine{{Number: 1, Text: "step 1 loss 2.3 tokens_per_second 1200"}}
	got := New().Redact([]store.Event{store.Set{Object: pod}, store.Logged{Lines: lines}})
	if got[0].(store.Set).Object != kinds.Object(pod) || &got[1].(store.Logged).Lines[0] != &lines[0] {
		t.Error("a clean event was copied")
	}
}

func marshalled(t *testing.T, events []store.Event) string {
	t.Helper()
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for _, event := range events {
		if err := encoder.Encode(event); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// BenchmarkPod redacts a pod as the store keeps it of a live cluster, without a secret.
func BenchmarkPod(b *testing.B) {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-0", UID: "u1", Labels: map[string]string{"a": "b", "training.kubeflow.org/job-name": "bert"}},
		Spec:       corev1.PodSpec{NodeName: "gpu-0", Containers: []corev1.Container{{Name: "pytorch", Image: "ghcr.io/x/train:1", Args: []string{"train.py"}, Env: []corev1.EnvVar{{Name: "MASTER_ADDR", Value: "bert-0"}, {Name: "RANK", Value: "3"}}}}},
		Status:     corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch", Ready: true}}},
	}
	r := New()
	events := []store.Event{store.Set{Object: pod}}
	b.ReportAllocs()
	for b.Loop() {
		r.Redact(events)
	}
}
