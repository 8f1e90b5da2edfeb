// Package nodes lists the machines: their accelerators as cells, one colour for
// each job that holds them, and the conditions and taints that keep pods away.
package nodes
