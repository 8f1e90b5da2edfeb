package operators

import "github.com/traintop/traintop/e2e/controlplane"

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
