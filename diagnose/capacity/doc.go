// Package capacity does the scheduler's arithmetic: what nodes offer and what
// of it is held, what a pod requires, which filter keeps it from each node,
// and whose end would free a node. It knows no rules and no words for people
// beyond the names of filters.
package capacity
