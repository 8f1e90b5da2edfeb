// Package smi runs a vendor's own tool inside a pod and reads its output. It chooses the
// tool by the pod's resources, has the commands of each view, and adds the pod that holds
// the GPUs to their readings. It is pure; sources/metrics parses the texts.
package smi
