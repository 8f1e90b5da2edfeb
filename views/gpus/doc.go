// Package gpus shows every GPU of the cluster: a heat map by node, which shows
// the outlier, and a table below it, which has the numbers. Both have the same
// rows and the same cursor.
package gpus
