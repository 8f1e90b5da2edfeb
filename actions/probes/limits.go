package probes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

const limitsScript = `cat /proc/1/limits && for d in /dev/infiniband/uverbs*; do [ -e "$d" ] && echo "rdma $d"; done; exit 0`

func resourceLimits() Probe {
	return Probe{
		ID: "ulimits", Title: "ulimits",
		About: "Limits of the container's first process: open files, which data loaders use up, and locked memory, which RDMA needs without a limit.",
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return [][]string{shell(limitsScript), {"cat", "/proc/1/limits"}}
		},
		Read: readLimits,
	}
}

// limitLine matches a line of /proc/PID/limits (Linux, fs/proc/base.c): name, soft, hard, unit.
var limitLine = regexp.MustCompile(`^(Max [a-z -]+?)\s{2,}(\S+)\s+(\S+)`)

// fewFiles is the default soft limit of shells, at which data loaders with some workers
// fail (PyTorch, multiprocessing strategy file_descriptor); littleLocked is too little
// for the memory that NCCL registers with a network card (by feel).
const (
	fewFiles     = 1024
	littleLocked = 1 << 30
)

func readLimits(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	soft := map[string]string{}
	rdma := false
	for line := range lines(a.Stdout) {
		if parts := limitLine.FindStringSubmatch(line); parts != nil {
			soft[parts[1]] = parts[2]
		}
		rdma = rdma || strings.HasPrefix(line, "rdma ")
	}
	files, locked := soft["Max open files"], soft["Max locked memory"]
	if files == "" {
		return unread(a)
	}
	r := Result{State: Good, Detail: detail(a)}
	r.Line = fmt.Sprintf("open files %s, locked memory %s, processes %s, stack %s",
		files, inBytes(locked), soft["Max processes"], inBytes(soft["Max stack size"]))
	r.Key = r.Line
	if n, err := strconv.Atoi(files); err == nil && n <= fewFiles {
		r.State, r.Line = Bad, fmt.Sprintf("only %d open files: data loaders use them up; %s", n, r.Line)
	}
	if n, err := strconv.ParseFloat(locked, 64); err == nil && n < littleLocked && rdma {
		r.State, r.Line = Bad, fmt.Sprintf("locked memory is limited to %s, and RDMA registers more: the container needs IPC_LOCK and an unlimited memlock", termtext.Bytes(n))
	}
	return r
}

func inBytes(limit string) string {
	if n, err := strconv.ParseFloat(limit, 64); err == nil {
		return termtext.Bytes(n)
	}
	return limit
}
