// Package e2e tests traintop against a real control plane: the real program,
// and the sources and store that it is made of, over the wire to a real API
// server. Its tests start everything they need; see README.md.
package e2e
