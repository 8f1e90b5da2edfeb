// Package gpurows says how GPUs stand on a screen: as rows of a table and as
// cells of a heat map, with the word for what is wrong. The screens of all
// GPUs, of nodes and of one node share it.
package gpurows
