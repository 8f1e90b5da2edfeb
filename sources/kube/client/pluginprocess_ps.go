//go:build unix && !linux

package client

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// pluginProcesses are the credential plugins that run, and all that they started: a
// plugin is a child whose command line has the command of the kubeconfig. The
// screen has other children.
func pluginProcesses() []pluginProcess {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	text, err := exec.CommandContext(ctx, "ps", "-A", "-o", "pid=,ppid=,args=").Output()
	if err != nil {
		return nil
	}
	parents := map[int]int{}
	var found []int
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue
		}
		id, _ := strconv.Atoi(fields[0])
		parents[id], _ = strconv.Atoi(fields[1])
		if parents[id] == os.Getpid() && isPlugin(strings.Join(fields[2:], " ")) {
			found = append(found, id)
		}
	}
	return withDescendants(found, parents)
}

// countsWritten is false: this system does not report what a process wrote.
const countsWritten = false

func (pluginProcess) written() int64 { return 0 }

// isPlugin reports whether a command line runs one of the plugins.
func isPlugin(line string) bool {
	for _, p := range plugins.all {
		if command := strings.Join(strings.Fields(p.command), " "); command != "" && strings.Contains(line, command) {
			return true
		}
	}
	return false
}
