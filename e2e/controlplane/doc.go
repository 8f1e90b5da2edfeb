// Package controlplane starts a real Kubernetes control plane on loopback for
// tests: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, and
// kwok, which plays the kubelets.
//
// It needs nothing but Go: Build compiles the programs from the module proxy
// once and keeps them outside the tree; certificates and kubeconfigs are made
// here. Several control planes can run beside each other, since every port is
// a free one. The processes end with Stop, and on Linux also when the process
// that started them dies without calling it.
package controlplane
