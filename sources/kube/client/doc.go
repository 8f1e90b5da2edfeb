// Package client connects to an API server. It reads the kubeconfig, runs the
// credential plugin, limits answers in time and size, discovers where kinds
// are served, and explains errors. Everything else in sources/kube sends its
// requests through it. It neither follows nor changes anything.
package client
