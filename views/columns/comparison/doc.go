// Package comparison puts runs side by side: the best and last values of their
// metrics, their values at the same step, how fast they are and what they cost,
// and what differs in their specifications and arguments. It is pure; the
// screen and the command both use it.
package comparison
