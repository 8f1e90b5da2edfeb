// Package scheduling holds the causes that keep pods from their nodes, and
// what the other stages use of them: the placement of waiting pods, groups
// that wait for each other, preemption and pod affinity.
package scheduling
