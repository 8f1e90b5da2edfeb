package logfindings

import (
	"regexp"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// SigkillOnly reports whether a line reports that a process was killed
// with SIGKILL, and does not mention memory: launchers and shells know the
// signal of a child, but not who sent it.
func SigkillOnly(hit *train.LogHit) bool {
	signal, _ := signatures.EndReported(hit.Signature)
	return hit.Signature != "child-memory" && (signal == 9 || signatures.KillSeen(hit.Signature))
}

// Killed is the text for a SIGKILL of unknown origin.
var Killed = Words{
	Title:   "Killed with SIGKILL, by whom is not known",
	Meaning: "SIGKILL leaves no word of who sent it. Most often the kernel did, for memory; the kubelet does after a probe that failed or a deletion past its grace period, agents of the node and people can.",
	Fix: "See whether the container's last state has the reason OOMKilled, and what the events say. $ kubectl describe pods\n" +
		"Look for \"Killed process\" in the kernel's log of the node (dmesg -T, journalctl -k) at that time: it names the process and the limit.\n" +
		"See whether the node was short of memory then: its conditions and events. $ kubectl describe nodes\n" +
		"Compare the container's memory with its limit in the metrics before the end: container_memory_working_set_bytes, container_oom_events_total.",
}

// refusals are signatures of lines with which a program reports that it was
// refused memory: it was not killed.
var refusals = map[string]bool{"memory-error": true, "cpu-allocator": true, "tensorflow-host-oom": true}

// IsRefusal reports whether a line reports that an allocation of main
// memory was refused.
func IsRefusal(hit *train.LogHit) bool { return refusals[hit.Signature] }

// Refused is the text for an allocation of main memory that was refused.
var Refused = Words{
	Title:   "The program was refused main memory",
	Meaning: "The program asked for main memory (not the GPU's) and was refused it, which it reports as an error of its own: it was not killed. A container's limit kills and refuses nothing; the kernel refuses what is more than the node can promise (overcommit) or than a limit of the process (ulimit -v).",
	Fix: "Look at the size that was asked for and at the line of code: a wrong shape or type asks for too much, and large data can be read in parts or mapped from the file.\n" +
		"See how much memory the node has, and how much of it other pods request. $ kubectl describe nodes\n" +
		"See the limits of the process and the node inside the container: ulimit -v, /proc/sys/vm/overcommit_memory and the memory that is free.",
}

// oomVictim matches the process that the kernel's log, or the kubelet's event of it, names
// as killed for memory: its number and its name.
var oomVictim = regexp.MustCompile(`\b(?:Kill(?:ed)? process|OOM victim) (?P<pid>\d+) ?\((?P<name>[^)]+)\)|victim process: (?P<name>[^\s,]+)(?:, pid: (?P<pid>\d+))?`)

// anyTraining matches names of processes that training has, and that show no more:
// interpreters, shells, launchers and the threads that frameworks name.
var anyTraining = regexp.MustCompile(`(?i)^(?:python|pypy|ipython|pt_|torch|ray\b|ray::|julia|java$|node$|ruby|perl|Rscript|R$|(?:ba|da|z|k)?sh$|mpi|orte|prte|slurm|srun|accelerate|deepspeed|horovod)|train|worker|loader`)

// killedProgram returns the name and number of the program that a line of the kernel's log
// reports as killed for memory; "" where it is one that any training runs.
func killedProgram(hit *train.LogHit) string {
	if hit.Cause != "oom-killed" && hit.Cause != "host-oom" {
		return ""
	}
	m := oomVictim.FindStringSubmatch(hit.Text)
	if m == nil {
		return ""
	}
	name, pid := m[2]+m[3], m[1]+m[4]
	switch {
	case anyTraining.MatchString(name):
		return ""
	case pid == "":
		return name
	}
	return name + " (process " + pid + ")"
}
