// Package gpus shows every GPU of the cluster: a heat map by node, where the
// odd one is seen, and a table below it, where it is read. Both have the same
// rows and the same cursor.
package gpus
