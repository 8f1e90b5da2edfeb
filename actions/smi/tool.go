package smi

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"

	"github.com/traintop/traintop/actions"
)

// View is one output of a tool.
type View string

const (
	GPUs      View = "GPUs"      // measured, for the table and the store
	Text      View = "text"      // the tool's default output
	Dmon      View = "dmon"      // some samples, one a second
	Topology  View = "topology"  // how GPUs and network cards are connected
	Processes View = "processes" // who uses the GPUs
)

// samples is how many samples Dmon prints, one a second.
const samples = "5"

// Tool is a vendor's program and its commands.
type Tool struct {
	// Name is the program's name: "nvidia-smi".
	Name string
	// commands are tried in order until the program of one exists.
	commands map[View][][]string
}

// Commands are the commands for a view, in order of preference; nil if the tool has no
// such view.
func (t Tool) Commands(v View) [][]string { return t.commands[v] }

// Views are those that the tool has, in order.
func (t Tool) Views() []View {
	return slices.DeleteFunc([]View{GPUs, Text, Dmon, Topology, Processes}, func(v View) bool { return t.commands[v] == nil })
}

// Of is the tool for a target: by the accelerators that its container requests, else by
// those of its pod. A pod that names none (a claim, a runtime class) counts as NVIDIA's.
func Of(s *store.Snapshot, t actions.Target) Tool {
	pod := s.Pod(t.Namespace, t.Pod)
	if pod == nil {
		return nvidia()
	}
	if tool, known := ofContainers(pod, t.Name); known {
		return tool
	}
	if tool, known := ofContainers(pod, ""); known {
		return tool
	}
	return nvidia()
}

// ofContainers checks the resources of one container, or of all.
func ofContainers(pod *corev1.Pod, container string) (Tool, bool) {
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if container != "" && c.Name != container {
			continue
		}
		var names []string
		for _, list := range []corev1.ResourceList{c.Resources.Limits, c.Resources.Requests} {
			for name := range list {
				names = append(names, string(name))
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if tool, known := ofResource(name); known {
				return tool, true
			}
		}
	}
	return Tool{}, false
}

// ofResource: the vendors that train/kinds counts as accelerators, if their tools are
// known here. A network card of nvidia.com is no accelerator.
func ofResource(resource string) (Tool, bool) {
	domain, name, _ := strings.Cut(resource, "/")
	switch {
	case domain == "nvidia.com" && strings.HasPrefix(name, "mig-"):
		return nvidiaOfSlices(), true
	case domain == "nvidia.com" && strings.HasPrefix(name, "gpu"), domain == "alpha.kubernetes.io" && name == "nvidia-gpu",
		domain == "volcano.sh" && strings.Contains(name, "gpu"), domain == "aliyun.com" && strings.HasPrefix(name, "gpu"):
		return nvidia(), true
	case domain == "amd.com":
		return amd(), true
	case domain == "habana.ai":
		return gaudi(), true
	case domain == "aws.amazon.com" && strings.HasPrefix(name, "neuron"):
		return neuron(), true
	case domain == "google.com" && name == "tpu":
		return tpu(), true
	case domain == "huawei.com" && strings.HasPrefix(name, "Ascend"):
		return textOnly("npu-smi", "npu-smi", "info"), true
	case domain == "gpu.intel.com":
		return textOnly("xpu-smi", "xpu-smi", "discovery"), true
	}
	return Tool{}, false
}

// queried are fields that nvidia-smi knows from driver 450 to 610; with an unknown field
// it would refuse the whole query.
const queried = "index,uuid,name,pci.bus_id,utilization.gpu,utilization.memory,memory.used,memory.total,temperature.gpu," +
	"power.draw,power.limit,clocks.sm,clocks.max.sm,clocks_throttle_reasons.active,ecc.errors.uncorrected.volatile.total,pstate"

// nvidia is the tool for whole boards.
func nvidia() Tool { return nvidiaMeasuring("--query-gpu="+queried, "--format=csv") }

// nvidiaOfSlices is the tool for boards that are split into slices (MIG): it queries
// everything, since --query-gpu covers only whole boards.
func nvidiaOfSlices() Tool { return nvidiaMeasuring("-q", "-x") }

func nvidiaMeasuring(measured ...string) Tool {
	one := func(arguments ...string) [][]string { return [][]string{append([]string{"nvidia-smi"}, arguments...)} }
	return Tool{"nvidia-smi", map[View][][]string{
		GPUs:      one(measured...),
		Text:      one(),
		Dmon:      one("dmon", "-c", samples),
		Topology:  one("topo", "-m"),
		Processes: one("--query-compute-apps=gpu_uuid,pid,process_name,used_memory", "--format=csv"),
	}}
}

// amd tries amd-smi first: rocm-smi reads a wrong power of newer boards.
func amd() Tool {
	return Tool{"rocm-smi", map[View][][]string{
		GPUs: {
			{"amd-smi", "metric", "--json"},
			{"rocm-smi", "--showuniqueid", "--showproductname", "--showuse", "--showmemuse", "--showmeminfo", "vram", "--showtemp", "--showpower", "--showclocks", "--json"},
		},
		Text:      {{"rocm-smi"}, {"amd-smi", "monitor"}},
		Dmon:      {{"amd-smi", "monitor", "-w", "1", "-i", samples}},
		Topology:  {{"rocm-smi", "--showtopo"}, {"amd-smi", "topology"}},
		Processes: {{"amd-smi", "process"}, {"rocm-smi", "--showpids"}},
	}}
}

func gaudi() Tool {
	return Tool{"hl-smi", map[View][][]string{
		GPUs:     {{"hl-smi", "-Q", "index,uuid,name,bus_id,utilization.aip,memory.used,memory.total,temperature.aip,power.draw", "-f", "csv"}},
		Text:     {{"hl-smi"}},
		Topology: {{"hl-smi", "topo", "-c"}},
	}}
}

// neuron: neuron-monitor prints a report every few seconds for ever; a constant shell
// script ends it after the first.
func neuron() Tool {
	return Tool{"neuron-ls", map[View][][]string{
		GPUs:      {{"sh", "-c", "neuron-monitor | head -n 1"}},
		Text:      {{"neuron-ls"}},
		Topology:  {{"neuron-ls", "--topology"}},
		Processes: {{"neuron-ls", "--show-all-procs"}, {"neuron-ls"}},
	}}
}

func tpu() Tool {
	return Tool{"tpu-info", map[View][][]string{GPUs: {{"tpu-info"}}, Text: {{"tpu-info"}}}}
}

// textOnly is a tool whose text is shown and not parsed.
func textOnly(name string, command ...string) Tool {
	return Tool{name, map[View][][]string{Text: {command}}}
}
