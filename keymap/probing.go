package keymap

import "slices"

// Actions of the screens that run commands in ranks.
const (
	ProbeRanks Action = "probes.ranks"
	AskAgain   Action = "answers.again"
	SMIRanks   Action = "smi.ranks"
	SMIGPUs    Action = "smi.gpus"
	SMIDmon    Action = "smi.dmon"
	SMITopo    Action = "smi.topology"
	SMIWho     Action = "smi.processes"
	SMINext    Action = "smi.next-tab"
	SMIBack    Action = "smi.previous-tab"
	SMIRaw     Action = "smi.raw"
	SMINow     Action = "smi.now"
)

// probing are the keys of the palette of probes, of answers side by side, and
// of the vendors' tools.
func probing() []Binding {
	all := []Binding{
		{Probes, keys("enter"), Open, "run", "run the probe and show what each rank answers", groupScreen, true},
		{Probes, keys("tab"), ProbeRanks, "which ranks", "run it in the ranks that were chosen, in all of the job, or in one", groupScreen, true},

		{ProbeAnswers, keys("enter"), Open, "in full", "all that the rank answered", groupScreen, true},
		{ProbeAnswers, keys("r"), AskAgain, "again", "run the probe again", groupScreen, true},
		{ProbeAnswers, keys("tab"), ProbeRanks, "which ranks", "ask the ranks that were chosen, all of the job, or one", groupScreen, true},
		{ProbeAnswers, keys("C"), CopyText, "copy all", "copy the answers of all ranks, in full", groupRows, false},

		{SMI, keys("enter"), Open, "rank", "open the rank that holds the GPU", groupScreen, true},
		{SMI, keys("tab"), SMINext, "next tab", "next tab", groupScreen, true},
		{SMI, keys("shift+tab"), SMIBack, "previous tab", "previous tab", groupScreen, false},
		{SMI, keys("1"), SMIGPUs, "GPUs", "use, memory, temperature, power, clocks of each GPU", groupScreen, false},
		{SMI, keys("2"), SMIDmon, "dmon", "some samples, one a second", groupScreen, false},
		{SMI, keys("3"), SMITopo, "topology", "how GPUs and network cards are connected", groupScreen, false},
		{SMI, keys("4"), SMIWho, "processes", "the processes that use the GPUs", groupScreen, false},
		{SMI, keys("r"), SMIRaw, "raw text", "what the tool prints when it is called by hand, or the tables again", groupScreen, true},
		{SMI, keys("a"), SMIRanks, "which ranks", "the ranks that were chosen, all of the job, or one", groupScreen, true},
		{SMI, keys("R"), SMINow, "now", "run it again now", groupScreen, false},
		{SMI, keys("n"), NextMatch, "next match", "next match of the search in a text", groupMove, false},
		{SMI, keys("left", "h"), ScrollLeft, "left", "scroll a text to the left", groupMove, false},
		{SMI, keys("right"), ScrollRight, "right", "scroll a text to the right", groupMove, false},
		{SMI, keys("C"), CopyText, "copy all", "copy all that is shown", groupRows, false},
		{SMI, keys("B"), SortUse, "use", "sort by how busy the GPUs are", groupSort, false},
		{SMI, keys("M"), SortMemory, "memory", "sort by memory", groupSort, false},
		{SMI, keys("T"), SortTemperature, "temperature", "sort by temperature", groupSort, false},
		{SMI, keys("W"), SortPower, "power", "sort by power", groupSort, false},
	}
	for _, scope := range []Scope{ProbeAnswers, SMI} {
		all = append(all,
			Binding{scope, keys("s"), Shell, "shell", "a shell in the rank under the cursor", groupAct, true},
			Binding{scope, keys("x"), ShowProbes, "probes", "run checks inside the marked ranks, or the one under the cursor", groupAct, false},
			Binding{scope, keys("l"), OpenLogs, "logs", "log of the rank under the cursor", groupScreen, true},
		)
	}
	return slices.Concat(all, []Binding{
		{ProbeAnswers, keys("n"), ShowSMI, "nvidia-smi", "nvidia-smi (or the vendor's own tool) in the marked ranks, or the one under the cursor", groupAct, false},
	})
}
