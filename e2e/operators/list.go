package operators

import "github.com/traintop/traintop/e2e/controlplane"

// fixedCertificates is where several operators have cert-controller look for the
// certificate that it keeps in a Secret, whatever the folder of temporary files.
// A folder below the operator's own does not disturb another run on the machine.
const fixedCertificates = `"/tmp/k8s-webhook-server/serving-certs"`

// JobSet is kubernetes-sigs/jobset.
func JobSet() Operator {
	return Operator{
		Program:     controlplane.ModuleProgram{Name: "jobset", Module: "sigs.k8s.io/jobset", Version: "v0.12.0"},
		Namespace:   "jobset-system",
		Definitions: []string{"config/components/crd/bases/*.yaml"},
		Webhooks:    []string{"config/components/webhook/manifests.yaml"},
		PodsWith:    "jobset.sigs.k8s.io/jobset-name",
		Config: `
apiVersion: config.jobset.x-k8s.io/v1alpha1
kind: Configuration
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
webhook: {host: 127.0.0.1, port: {{.Webhook}}}
metrics: {bindAddress: "127.0.0.1:{{.Metrics}}"}
health: {healthProbeBindAddress: "127.0.0.1:{{.Health}}"}
`,
		Args:  []string{"--config={{.Config}}"},
		Ready: "http://127.0.0.1:{{.Health}}/readyz",
	}
}

// TrainingOperator is the training-operator of Kubeflow, the one before Trainer.
func TrainingOperator() Operator {
	return Operator{
		Program: controlplane.ModuleProgram{
			Name: "training-operator", Module: "github.com/kubeflow/training-operator", Version: "v1.9.4", Package: "cmd/training-operator.v1",
			Edits: []controlplane.Edit{{File: "pkg/cert/cert.go", Old: fixedCertificates, New: `"` + servingCertificates + `"`}},
		},
		Namespace:   "kubeflow",
		Definitions: []string{"manifests/base/crds/*.yaml"},
		Webhooks:    []string{"manifests/base/webhook/manifests.yaml"},
		// What its rotator of certificates fills. The webhooks of the test are
		// registered under another name, with the authority of the control plane.
		Before: `
apiVersion: v1
kind: Secret
metadata: {name: training-operator-webhook-cert, namespace: kubeflow}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: validator.training-operator.kubeflow.org}
`,
		Args: []string{
			"--metrics-bind-address=127.0.0.1:{{.Metrics}}", "--health-probe-bind-address=127.0.0.1:{{.Health}}", "--webhook-server-port={{.Webhook}}",
		},
		Ready: "http://127.0.0.1:{{.Health}}/readyz",
	}
}

// Kueue is kubernetes-sigs/kueue, for batch Jobs.
func Kueue() Operator {
	return Operator{
		Program: controlplane.ModuleProgram{
			Name: "kueue", Module: "sigs.k8s.io/kueue", Version: "v0.19.2", Package: "cmd/kueue",
			Edits: []controlplane.Edit{
				{File: "cmd/kueue/main.go", Old: `"/etc/kueue/metrics/certs"`, New: `"` + servingCertificates + `"`},
				{File: "pkg/visibility/server.go", Old: `"/visibility"`, New: `"` + servingCertificates + `"`},
			},
		},
		Namespace:   "kueue-system",
		Definitions: []string{"config/components/crd/bases/*.yaml"},
		Webhooks:    []string{"config/components/webhook/manifests.yaml"},
		Answers:     []string{"-kueue-x-k8s-io-", "-batch-v1-job"},
		Converts: []string{
			"clusterqueues.kueue.x-k8s.io", "cohorts.kueue.x-k8s.io", "localqueues.kueue.x-k8s.io",
			"multikueueclusters.kueue.x-k8s.io", "workloads.kueue.x-k8s.io",
		},
		Config: `
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
leaderElection: {leaderElect: false}
internalCertManagement: {enable: false}
webhook: {host: 127.0.0.1, port: {{.Webhook}}, certDir: {{.Certificates}}}
metrics: {bindAddress: "127.0.0.1:{{.Metrics}}"}
health: {healthProbeBindAddress: "127.0.0.1:{{.Health}}"}
integrations: {frameworks: [batch/job]}
visibilityServer: {bindAddress: {{.Host}}, bindPort: {{.API}}}
`,
		Args:   []string{"--config={{.Config}}", "--kubeconfig={{.Kubeconfig}}"},
		Ready:  "http://127.0.0.1:{{.Health}}/readyz",
		Serves: "visibility.kueue.x-k8s.io/v1beta2",
	}
}

// Trainer is the Kubeflow Trainer, which makes JobSets.
func Trainer() Operator {
	return Operator{
		Program: controlplane.ModuleProgram{
			Name: "trainer-controller-manager", Module: "github.com/kubeflow/trainer/v2", Version: "v2.3.0", Package: "cmd/trainer-controller-manager",
		},
		Needs:       []Operator{JobSet()},
		Namespace:   "kubeflow-system",
		Definitions: []string{"manifests/base/crds/*.yaml"},
		Webhooks:    []string{"manifests/base/webhook/manifests.yaml"},
		After:       []string{"manifests/base/runtimes/torch_distributed.yaml"},
		Config: `
apiVersion: config.trainer.kubeflow.org/v1alpha1
kind: Configuration
leaderElection: {leaderElect: false}
certManagement: {enable: false}
webhook: {host: 127.0.0.1, port: {{.Webhook}}}
metrics: {bindAddress: "127.0.0.1:{{.Metrics}}", secureServing: false}
health: {healthProbeBindAddress: "127.0.0.1:{{.Health}}"}
`,
		Args:  []string{"--config={{.Config}}"},
		Ready: "http://127.0.0.1:{{.Health}}/readyz",
	}
}

// MPI is kubeflow/mpi-operator, whose MPIJob has the name of the training-operator's
// and another version.
func MPI() Operator {
	return Operator{
		Program: controlplane.ModuleProgram{
			Name: "mpi-operator", Module: "github.com/kubeflow/mpi-operator", Version: "v0.8.2", Package: "cmd/mpi-operator",
			Edits: []controlplane.Edit{
				{File: "cmd/mpi-operator/app/server.go", Old: "healthCheckPort = 8080", New: `healthCheckPort = os.Getenv("HEALTH_PORT")`},
				{File: "cmd/mpi-operator/app/server.go", Old: `fmt.Sprintf(":%d", healthCheckPort)`, New: `"127.0.0.1:" + healthCheckPort`},
				{File: "cmd/mpi-operator/app/server.go", Old: "Start listening to %d", New: "Start listening to %s"},
			},
		},
		Namespace:   "mpi-operator",
		Definitions: []string{"manifests/base/kubeflow.org_mpijobs.yaml"},
		Args:        []string{"--kube-api-qps=50", "--kube-api-burst=100"},
		Ready:       "http://127.0.0.1:{{.Health}}/healthz",
	}
}

// KubeRay is ray-project/kuberay. It asks a cluster's dashboard through the API
// server, since a Service has no address here.
func KubeRay() Operator {
	return Operator{
		Program:     controlplane.ModuleProgram{Name: "kuberay", Module: "github.com/ray-project/kuberay/ray-operator", Version: "v1.6.2"},
		Namespace:   "ray-system",
		Definitions: []string{"config/crd/bases/*.yaml"},
		Args: []string{
			"--metrics-addr=127.0.0.1:{{.Metrics}}", "--health-probe-bind-address=127.0.0.1:{{.Health}}",
			"--enable-leader-election=false", "--use-kubernetes-proxy",
		},
		Ready: "http://127.0.0.1:{{.Health}}/readyz",
	}
}
