// Package volumes holds the causes around claims and mounts: Claims keep a
// pod from a node, Mounts keep its containers from starting on one.
package volumes
