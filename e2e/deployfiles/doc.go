// Package deployfiles tests the files of deploy/ against the types that they are
// read into: of Kubernetes, and of the Prometheus operator. It needs no cluster.
package deployfiles
