// Package train contains the types of training on Kubernetes: a job of any
// kind, its roles and ranks, the attempts of each rank, the nodes with GPUs,
// and the health of sources.
//
// All other packages share these types, so this package depends on none of
// them. Values are facts at one instant: whoever gets one from a snapshot must
// not change it.
package train
