package logs

import "github.com/traintop/traintop/train"

// killedAlone are signatures of lines that report SIGKILL and nothing else:
// launchers and shells know the signal of a child, but not who sent it.
var killedAlone = map[string]bool{"killed-line": true, "child-killed": true, "child-killed-fabric": true, "paddle-killed": true}

// TellsSignalAlone reports whether a line reports that a process was killed
// with SIGKILL, and does not mention memory.
func TellsSignalAlone(hit *train.LogHit) bool { return killedAlone[hit.Signature] }

// Killed is the text for a SIGKILL of unknown origin.
var Killed = Words{
	Title:   "Killed with SIGKILL, by whom is not known",
	Meaning: "SIGKILL leaves no word of who sent it. Most often the kernel did, for memory; the kubelet does after a probe that failed or a deletion past its grace period, agents of the node and people can.",
	Fix: "See whether the container's last state has the reason OOMKilled, and what the events say. $ kubectl describe pods\n" +
		"Look for \"Killed process\" in the kernel's log of the node (dmesg -T, journalctl -k) at that time: it names the process and the limit.\n" +
		"See whether the node was short of memory then: its conditions and events. $ kubectl describe nodes\n" +
		"Compare the container's memory with its limit in the metrics before the end: container_memory_working_set_bytes, container_oom_events_total.",
}
