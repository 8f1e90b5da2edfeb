// Package client is the connection to an API server: the kubeconfig and its
// credential plugin, transports whose answers end in time and in size, where
// kinds are served, and the words for what went wrong. Everything else in
// sources/kube asks through it; it follows and changes nothing.
package client
