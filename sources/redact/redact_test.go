package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func TestNamesThatAreSecret(t *testing.T) {
	for name, want := range map[string]bool{
		"HF_TOKEN": true, "WANDB_API_KEY": true, "DB_PASSWORD": true, "AWS_SECRET_ACCESS_KEY": true, "--api-key": true,
		"TOKENIZERS_PARALLELISM": false, "MASTER_ADDR": false, "KEYBOARD": false,
	} {
		if got := Secret(name, "value"); got != want {
			t.Errorf("Secret(%q) is %v, want %v", name, got, want)
		}
	}
	if Secret("MAX_TOKENS", "4096") || Secret("USE_AUTH_TOKEN", "true") || !Secret("PASSWORD", "4096") || Secret("HF_TOKEN", "") {
		t.Error("numbers and booleans are no secrets, unless a password; nothing is none")
	}
}

// An AppWrapper, a Helm release or a List holds Secrets as they are created.
func TestSecretsWithinObjectsLoseTheirValues(t *testing.T) {
	const text = `
spec:
  components:
  - template: {apiVersion: v1, kind: Secret, metadata: {name: keys}, type: Opaque, stringData: {alpha: tango, beta: "12"}, data: {gamma: dGFuZ28=}}
  - template: {apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {alpha: tango}}
  - {kind: Secret, name: keys, data: tango}
`
	var got, wanted map[string]any
	if err := yaml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(`alpha: tango, beta: "12"`, `alpha: "***", beta: "***"`, "gamma: dGFuZ28=", `gamma: "***"`).Replace(text)
	if err := yaml.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	Object(got)
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	Object(got)
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("masked twice, -want +got:\n%s", diff)
	}
}

func TestObjectsLoseWhatIsSecretAndNothingElse(t *testing.T) {
	const pod = `
PWD: @geheim
spec:
  containers:
  - args: [train.py, --api-key=abc, --token, hf_123, --lr=0.1]
    env:
    - {name: HF_TOKEN, value: hf_123}
    - {name: RANK, value: "3"}
    - {name: PWD, value: @folder}
    - {name: ODBC_PWD, value: @geheim}
    - {name: пароль, value: @geheim}
    - {name: KEY, value: value_cache}
    - {name: FROM, valueFrom: {secretKeyRef: {name: s, key: token}}}
  settings:
    - {sensitive: true, value: @geheim}
    - {Name: /prod/x, Type: SecureString, Value: @geheim}
    - {key: DB_PASSWORD, value: @geheim}
  tolerations:
  - {key: nvidia.com/gpu, operator: Equal, value: present}
runtimeEnvYAML: |
  env_vars:
    WANDB_API_KEY: "0123"
    NCCL_DEBUG: INFO
`
	const want = `
PWD: @geheim
spec:
  containers:
  - args: [train.py, --api-key=***, --token, "***", --lr=0.1]
    env:
    - {name: HF_TOKEN, value: "***"}
    - {name: RANK, value: "3"}
    - {name: PWD, value: @folder}
    - {name: ODBC_PWD, value: @geheim}
    - {name: пароль, value: @geheim}
    - {name: KEY, value: value_cache}
    - {name: FROM, valueFrom: {secretKeyRef: {name: s, key: token}}}
  settings:
    - {sensitive: true, value: @geheim}
    - {Name: /prod/x, Type: SecureString, Value: @geheim}
    - {key: DB_PASSWORD, value: @geheim}
  tolerations:
  - {key: nvidia.com/gpu, operator: Equal, value: present}
runtimeEnvYAML: |
  env_vars:
    WANDB_API_KEY: "***"
    NCCL_DEBUG: INFO
`
	var got, wanted map[string]any
	if err := yaml.Unmarshal([]byte(strings.NewReplacer(`@folder`, `/workspace`, `@geheim`, `geheim`).Replace(pod)), &got); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(strings.NewReplacer(`@folder`, `/workspace`, `@geheim`, `"***"`).Replace(want)), &wanted); err != nil {
		t.Fatal(err)
	}
	Object(got)
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestSecretsOfVolumes: attributes of a CSI driver and options of a flex volume are
// whatever a person wrote there.
func TestSecretsOfVolumes(t *testing.T) {
	volume := map[string]any{
		"csi":        map[string]any{"driver": "x", "volumeAttributes": map[string]any{"secret": "hunter", "key": "hunter", "share": "models", "secretName": "regcred"}},
		"flexVolume": map[string]any{"driver": "y", "options": map[string]any{"token": "hunter", "pass": "hunter", "path": "/models"}},
	}
	want := map[string]any{
		"csi":        map[string]any{"driver": "x", "volumeAttributes": map[string]any{"secret": Masked, "key": Masked, "share": "models", "secretName": "regcred"}},
		"flexVolume": map[string]any{"driver": "y", "options": map[string]any{"token": Masked, "pass": Masked, "path": "/models"}},
	}
	Object(volume)
	if diff := cmp.Diff(want, volume); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestARuleThatFails: a rule that panics neither ends the program nor shows the text.
func TestARuleThatFails(t *testing.T) {
	r := New()
	r.finder.anchors = nil // any look panics
	if got, want := r.Text("password=hunter2 and more"), Kind.Placeholder(NamedSecret); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if n := r.Counts()[string(NamedSecret)]; n != 1 {
		t.Errorf("%d are counted", n)
	}
	r.finder.anchors = table()
	if got := r.Text("step 3 loss 1.2"); got != "step 3 loss 1.2" {
		t.Errorf("the next text is %q", got)
	}
}
