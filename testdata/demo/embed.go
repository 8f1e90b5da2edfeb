// Package demo is the demo cluster: what kubectl would print for it, embedded
// in the program and read by the same source that reads files. The folder
// generate makes the files from a short description; edit that, not them.
package demo

import "embed"

// Files holds one list of objects for each namespace, and one for what
// belongs to none, the logs of pods, and what exporters say of GPUs.
//
//go:embed *.yaml logs metrics
var Files embed.FS
