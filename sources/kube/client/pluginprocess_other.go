//go:build !unix

package client

// pluginProcess represents a process that cannot be ended here: Windows names no
// parent that can be trusted, since it reuses the numbers of processes that ended.
type pluginProcess struct{}

func (pluginProcess) terminate()  {}
func (pluginProcess) kill()       {}
func (pluginProcess) alive() bool { return false }

// countsWritten is false: this system does not report what a process wrote.
const countsWritten = false

func (pluginProcess) written() int64 { return 0 }

func pluginProcesses() []pluginProcess { return nil }
