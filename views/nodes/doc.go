// Package nodes lists the machines: their accelerators as cells, one colour
// for each job that holds them, and what keeps work away.
package nodes
