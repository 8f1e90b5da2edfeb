// Package smi runs a vendor's own tool inside a pod and reads what it prints:
// which tool a pod has by what its resources say, the commands of each view,
// and readings of GPUs with the pod that holds them filled in. It is pure;
// what the texts mean, sources/metrics knows.
package smi
