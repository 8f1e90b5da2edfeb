// Package signals tests how the built program meets signals and terminals that
// go away: on a real pty, without a control plane.
package signals
