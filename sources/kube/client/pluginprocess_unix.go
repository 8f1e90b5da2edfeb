//go:build unix

package client

import "syscall"

// pluginProcess is the number of a process.
type pluginProcess int

func (p pluginProcess) terminate()  { _ = syscall.Kill(int(p), syscall.SIGTERM) }
func (p pluginProcess) kill()       { _ = syscall.Kill(int(p), syscall.SIGKILL) }
func (p pluginProcess) alive() bool { return syscall.Kill(int(p), 0) == nil }

// withDescendants returns processes and all that they started, parents first.
func withDescendants(roots []int, parents map[int]int) []pluginProcess {
	children := map[int][]int{}
	for child, parent := range parents {
		children[parent] = append(children[parent], child)
	}
	var all []pluginProcess
	for queue := roots; len(queue) > 0; queue = queue[1:] {
		all = append(all, pluginProcess(queue[0]))
		queue = append(queue, children[queue[0]]...)
	}
	return all
}
