package actions

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func TestPortsAreOfferedByName(t *testing.T) {
	for _, one := range []struct{ name, pod, want string }{
		{"a PyTorchJob's master, as training-operator 1.9 makes it", `
spec: {containers: [{name: pytorch, ports: [{name: pytorchjob-port, containerPort: 23456}]}]}`,
			`PyTorch rendezvous 23456 pytorch; TensorBoard 6006 http/; Jupyter 8888 http/`},
		{"a Ray head, as KubeRay 1.4 has it", `
spec: {containers: [{name: ray-head, ports: [{name: gcs-server, containerPort: 6379}, {name: dashboard, containerPort: 8265}, {name: client, containerPort: 10001}]}]}`,
			`Ray dashboard 8265 http/ ray-head; Ray GCS 6379 ray-head; Ray client 10001 ray-head; TensorBoard 6006 http/; Jupyter 8888 http/`},
		{"a Ray head that declares nothing", `
metadata: {labels: {ray.io/node-type: head}}
spec: {containers: [{name: ray-head}]}`,
			`Ray dashboard 8265 http/; TensorBoard 6006 http/; Jupyter 8888 http/`},
		{"a program at a port of its own", `
spec: {containers: [{name: tb, ports: [{name: tensorboard, containerPort: 9999}]}]}`,
			`TensorBoard 9999 http/ tb; Jupyter 8888 http/`},
		{"a name that is not the program of its number", `
spec: {containers: [{name: main, ports: [{name: grpc, containerPort: 8080}, {name: http, containerPort: 8501}, {name: https-admin, containerPort: 8443}]}]}`,
			`Streamlit 8501 http/ main; https-admin 8443 https/ main; grpc 8080 main; TensorBoard 6006 http/; Jupyter 8888 http/`},
		{"a command", `
spec: {containers: [{name: main, command: [sh, -c, "mlflow server & python train.py"]}]}`,
			`MLflow 5000 http/; TensorBoard 6006 http/; Jupyter 8888 http/`},
		{"UDP, nonsense, twice", `
spec: {containers: [{name: a, ports: [{containerPort: 53, protocol: UDP}, {containerPort: -1}, {containerPort: 6006}]}, {name: b, ports: [{containerPort: 6006}]}]}`,
			`TensorBoard 6006 http/ a; Jupyter 8888 http/`},
	} {
		var pod corev1.Pod
		if err := yaml.Unmarshal([]byte(one.pod), &pod); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range Ports(&pod) {
			got = append(got, strings.Join(strings.Fields(p.Name+" "+strconv.Itoa(p.Number)+" "+p.Scheme+p.Path+" "+p.Container), " "))
		}
		if diff := cmp.Diff(one.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", one.name, diff)
		}
	}
	if Ports(nil) != nil {
		t.Error("no pod has ports")
	}
}

func TestKnownPortsAreEachOnce(t *testing.T) {
	numbers, names := map[int]bool{}, map[string]bool{}
	for _, one := range knownPorts {
		if numbers[one.port.Number] || one.port.Number < 1 || one.port.Number > 65535 {
			t.Errorf("port %d", one.port.Number)
		}
		numbers[one.port.Number] = true
		for _, name := range one.names {
			if names[name] {
				t.Errorf("the name %s", name)
			}
			names[name] = true
		}
	}
}
