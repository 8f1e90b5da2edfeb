package controlplane

import (
	"strconv"
	"strings"
)

// KubernetesVersion is the release that a control plane is built from where none
// is asked for. etcd is the version that a release's own go.mod names.
const KubernetesVersion = "1.37.2"

// OtherKubernetes are the releases against which some tests run as well: the one before,
// and the oldest that clusters of clouds still have.
var OtherKubernetes = []string{"1.36.3", "1.32.2"}

// KwokVersion is the release of kwok, whose stages play the kubelets.
const KwokVersion = "0.8.0"

// gangsSince is the minor release in which kube-scheduler places a PodGroup of
// scheduling.k8s.io/v1beta1 as one, where its feature gate is on (kube_features.go:
// GenericWorkload, beta and off).
const gangsSince = 37

// schedulesGangs reports whether the release can.
func (b Binaries) schedulesGangs() bool {
	parts := strings.Split(b.kubernetes, ".")
	minor, err := strconv.Atoi(parts[min(1, len(parts)-1)])
	return err == nil && minor >= gangsSince
}

// gates are the flags for features that are off by default and that tests need.
func (b Binaries) gates() []string {
	if !b.schedulesGangs() {
		return nil
	}
	return []string{"--feature-gates=GenericWorkload=true"}
}

// serves are the API server's flags for versions that are off by default.
func (b Binaries) serves() []string {
	if !b.schedulesGangs() {
		return nil
	}
	return []string{"--runtime-config=scheduling.k8s.io/v1beta1=true"}
}
