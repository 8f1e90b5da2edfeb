package controlplane

// KubernetesVersion is the release that the control plane is built from. etcd
// is the version that this release's own go.mod names.
const KubernetesVersion = "1.36.3"

// KwokVersion is the release of kwok, whose stages play the kubelets.
const KwokVersion = "0.8.0"
