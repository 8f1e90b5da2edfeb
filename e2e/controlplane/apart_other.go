//go:build unix && !linux

package controlplane

import "syscall"

// apart puts a program into a process group of its own, so that ctrl-c reaches
// only us. Only Linux can also end it when we die without stopping it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
