package kinds

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestPodReferences(t *testing.T) {
	pod := &corev1.Pod{}
	if err := yaml.Unmarshal([]byte(`
metadata: {name: w-0, namespace: ml}
spec:
  serviceAccountName: trainer
  imagePullSecrets: [{name: registry}]
  volumes:
  - {name: data, persistentVolumeClaim: {claimName: imagenet}}
  - {name: scratch, ephemeral: {volumeClaimTemplate: {spec: {}}}}
  - {name: conf, configMap: {name: settings, optional: true}}
  - {name: all, projected: {sources: [{secret: {name: tls}}, {configMap: {name: ca}}]}}
  - {name: tmp, emptyDir: {}}
  containers:
  - name: main
    envFrom: [{secretRef: {name: wandb}}]
    env:
    - {name: A, value: plain}
    - {name: TOKEN, valueFrom: {secretKeyRef: {name: hf, key: token, optional: true}}}
`), pod); err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, r := range PodReferences(pod) {
		have = append(have, fmt.Sprint(r.Kind.Kind, " ", r.Name, " ", r.Path, " ", r.Optional))
	}
	want := []string{
		"PersistentVolumeClaim imagenet spec.volumes[data] false",
		"PersistentVolumeClaim w-0-scratch spec.volumes[scratch] false",
		"ConfigMap settings spec.volumes[conf] true",
		"Secret tls spec.volumes[all] false",
		"ConfigMap ca spec.volumes[all] false",
		"Secret wandb spec.containers[main].envFrom false",
		"Secret hf spec.containers[main].env[TOKEN] true",
		"ServiceAccount trainer spec.serviceAccountName false",
		"Secret registry spec.imagePullSecrets true",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}
