// Package metrics reads the output of exporters and tools about GPUs: the
// Prometheus text of DCGM's exporter and of other vendors', answers of the
// Prometheus HTTP API, and, with the package tools, what vendors' tools print. It
// detects the format of a text from its content.
//
//	text ─► Detect ─► samples with labels ─► names to quantities ─► one reading per GPU
//
// It is pure: bytes in, readings out. If a text does not contain its node and time,
// the caller provides them.
//
// Promises: the valid part of a bad text is read, and the rest is a Problem that
// states where and why; unknown is absent, never 0; values that are impossible for a
// GPU are left out; values of several samples of one GPU are never added up; memory
// stays within MaxText and MaxGPUs for any input.
package metrics
