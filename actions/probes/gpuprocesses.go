package probes

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/smi"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

func gpuProcesses() Probe {
	return Probe{
		ID: "gpu-processes", Title: "processes on the GPUs",
		About:    "Who uses the GPUs of the rank, by the vendor's own tool. Inside a container the list is often empty, and the numbers are those of the node.",
		Commands: func(s *store.Snapshot, t actions.Target) [][]string { return smi.Of(s, t).Commands(smi.Processes) },
		Read:     readProcesses,
	}
}

func readProcesses(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	if len(a.Command) == 0 || a.Command[0] != "nvidia-smi" {
		if a.Exit != 0 {
			return unread(a)
		}
		return Result{State: Neutral, Line: termtext.Count(len(detail(a)), "line") + " from " + tool(a), Detail: detail(a)}
	}
	found, trouble := smi.ReadProcesses(a)
	switch {
	case len(found) == 0 && trouble != "":
		return Result{State: Unclear, Line: clean(trouble), Detail: detail(a)}
	case len(found) == 0:
		return Result{State: Neutral, Line: "none told, as usual inside a container without hostPID", Detail: detail(a)}
	}
	gpus, memory := map[string]int{}, 0.0
	r := Result{State: Neutral}
	for _, p := range found {
		gpus[p.GPU]++
		memory += max(0, p.MemoryMiB)
		if len(r.Detail) < maxDetail {
			r.Detail = append(r.Detail, fmt.Sprintf("%s  %d  %s  %s", p.GPU, p.PID, memoryOf(p), masked(p.Name)))
		}
	}
	most := 0
	for _, n := range gpus {
		most = max(most, n)
	}
	r.Line = fmt.Sprintf("%s on %s, %s", termtext.Count(len(found), "process"), termtext.Count(len(gpus), "GPU"), termtext.Bytes(memory*1024*1024))
	if most > 1 {
		r.Line += fmt.Sprintf("; %d share one GPU", most)
	}
	r.Key = fmt.Sprintf("%d on %d", len(found), len(gpus))
	return r
}

func memoryOf(p smi.Process) string {
	if p.MemoryMiB < 0 {
		return "-"
	}
	return termtext.Bytes(p.MemoryMiB * 1024 * 1024)
}

func tool(a actions.Answer) string {
	return clean(strings.Join(a.Command[:min(1, len(a.Command))], ""))
}
