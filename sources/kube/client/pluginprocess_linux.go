package client

import (
	"bytes"
	"os"
	"strconv"
)

// pluginProcesses are the credential plugins that run, and all that they started: a
// plugin is a child whose standard error is the pipe that plugins get. The screen
// has other children.
func pluginProcesses() []pluginProcess {
	pipe := PluginMessages.pipeName()
	entries, err := os.ReadDir("/proc")
	if err != nil || pipe == "" {
		return nil
	}
	parents := map[int]int{}
	var plugins []int
	for _, entry := range entries {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		parents[id] = parentOf(id)
		if parents[id] != os.Getpid() {
			continue
		}
		if messages, err := os.Readlink("/proc/" + entry.Name() + "/fd/2"); err == nil && messages == pipe {
			plugins = append(plugins, id)
		}
	}
	return withDescendants(plugins, parents)
}

// countsWritten is true where written is known.
const countsWritten = true

// written is how many bytes a process wrote, as the kernel counts them (wchar of
// /proc/PID/io); 0 for one that is gone.
func (p pluginProcess) written() int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(int(p)) + "/io")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(text) {
		if count, is := bytes.CutPrefix(line, []byte("wchar: ")); is {
			n, _ := strconv.ParseInt(string(bytes.TrimSpace(count)), 10, 64)
			return n
		}
	}
	return 0
}

// parentOf reads the fourth field of /proc/PID/stat, 0 if the process is gone; the
// second, a name in parentheses, may contain anything.
func parentOf(id int) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(id) + "/stat")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}

// pipeName is how /proc names the pipe of plugins, "" before there is one.
func (o *pluginOutput) pipeName() string {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	if o.pipe == nil {
		return ""
	}
	name, _ := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(o.pipe.Fd())))
	return name
}
