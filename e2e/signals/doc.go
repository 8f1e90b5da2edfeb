// Package signals tests how the built program handles signals and terminals
// that go away: on a real pty, without a control plane.
package signals
