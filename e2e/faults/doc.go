// Package faults runs the built program against a cluster that misbehaves on
// command: an API server with a small recorded cluster, its kubelets, an
// exporter of GPU metrics and a Prometheus, any of which hangs, cuts, lies or
// refuses. Rows define what the program must report then; docs/reliability.md
// is made from them. Nothing here needs a real control plane, or a network
// beyond loopback.
package faults
