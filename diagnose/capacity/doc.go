// Package capacity does the scheduler's arithmetic: what nodes offer and how
// much of it is held, what a pod requires, which filter keeps it from each
// node, and which jobs' end would free a node. It contains no rules and no
// user texts except the names of filters.
package capacity
