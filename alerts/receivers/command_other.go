//go:build !unix

package receivers

import "os/exec"

// killWithChildren leaves the default: the program alone is stopped.
func killWithChildren(*exec.Cmd) {}
