// Package demo is the demo cluster: what kubectl would print for it, embedded
// for tests and read by the same source that reads files. The files were made
// once and are edited by hand.
package demo

import "embed"

// Files holds one list of objects for each namespace, and one for what
// belongs to none, the logs of pods, and what exporters say of GPUs.
//
//go:embed *.yaml logs metrics
var Files embed.FS
