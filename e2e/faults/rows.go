package faults

import "slices"

// Rows are the promises, in the order of the table.
func Rows() []Row {
	return slices.Concat(wireRows(), clusterRows(), discoveryRows(), listRows(), jobRows(), logRows(), exporterRows(), prometheusRows(), numberRows(), recordRows(), watchRows(), screenRows())
}

// readers are the commands that read a cluster once.
var readers = []string{"jobs", "diagnose", "curves", "gpus", "logs"}

// objectReaders are those whose answer needs only objects, and logReaders those
// that need logs.
var (
	objectReaders = []string{"jobs"}
	logReaders    = []string{"logs", "curves"}
)

// Text of a good answer about the job that failed, and about the node with the
// exporter.
const (
	failedJob    = "hubert-xl"
	measuredNode = "gpu-a100-06"
)
