// Package process sets up the process that a command runs in: the terminal, the
// memory limit, writes that an interrupt ends, the logger of libraries.
package process
