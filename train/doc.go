// Package train holds the nouns of training on Kubernetes: a job of any kind,
// its roles and ranks, the attempts each rank has made, the nodes that carry
// GPUs, and what a source says about its own health.
//
// It is the vocabulary that every other folder shares, so it depends on none
// of them. Values are facts at one instant: whoever receives one through a
// snapshot must not change it.
package train
