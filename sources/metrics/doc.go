// Package metrics reads what exporters and tools say about GPUs: the
// Prometheus text of DCGM's exporter and of other vendors', answers of the
// Prometheus HTTP API, and the text of nvidia-smi, rocm-smi, amd-smi, hl-smi,
// tpu-info and neuron-monitor. What a text is, its content decides.
//
//	text ─► Detect ─► samples with labels ─► names to quantities ─► one reading per GPU
//
// It is pure: bytes in, readings out. Which node a text is of, and when it was
// taken, the caller says where the text does not.
//
// Promises: the sound part of a bad text is read and the rest is a Problem
// that says where and why; unknown is absent, never 0; values that no GPU can
// have are left out; values of several samples of one GPU are never added up;
// memory stays bounded by MaxText and MaxGPUs whatever comes.
package metrics
