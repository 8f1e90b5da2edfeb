package metrics

import "slices"

// The labels by which Prometheus is asked to tell series apart: those that
// tags.set knows. Grouping by a label that a series does not have costs
// nothing, so the lists need not know which exporter is there.
var (
	placeLabels = []string{
		"node", "kubernetes_node", "node_name", "nodename", "exported_node",
		"Hostname", "hostname", "host", "instance_id", targetLabel,
	}
	// exporterLabels name the pod that was scraped, or, where it was scraped
	// with honorLabels or wrote nothing of pods in its way, the pod that holds
	// the GPU.
	exporterLabels = []string{"namespace", "pod", "container"}
	holderLabels   = []string{
		"exported_namespace", "exported_pod", "exported_container", "pod_name", "pod_namespace", "container_name",
		"kube_pod", "kube_namespace", "kube_container",
	}
	// dcgmLabels are what tells the samples of DCGM's exporter apart.
	dcgmLabels = []string{
		"gpu", "UUID", "uuid", "GPU_I_ID", "GPU_I_PROFILE", "vgpu", "nvlink", "nvswitch", "cpu", "cpucore", "pid", "process_name",
		"xid", "clock_event", "health_watch", "window_size_in_ms",
	}
	deviceLabels = append([]string{
		"gpu_id", "gpu_index", "neuroncore", "accelerator_id", "index", "minor_number", "dev_file", "device", "device_id", "card",
		"gpu_uuid", "acc_id", "gpu_i_profile", "gpu_i_id", "gpu_partition_id", "gpu_compute_partition_type",
		"type", "clock_type", "hw_gpu_task", "hw_gpu_engine", "hw_type", "location", "hw_sensor_location", "hw_memory_location",
		"sub_dev", "com_intel_subdevice_id", "make",
	}, dcgmLabels...)
	// wordyLabels describe a GPU, or say who scraped it: they need not be
	// repeated with every sample.
	wordyLabels = []string{
		"pci_bus_id", "pci_bdf", "bdf", "modelName", "model_name", "model", "card_series", "dev_name", "name", "instance_type",
		"card_model", "serial_number", "job", "service",
	}
)

// targetLabel is the address that was scraped.
const targetLabel = "instance"

// grouping says by which labels samples of a family are told apart.
type grouping struct {
	// holdersElsewhere: no GPU's holder stands in exporterLabels.
	holdersElsewhere bool
	// placed: every GPU names its machine, so the address is not needed.
	placed bool
}

// compact are the labels that tell samples apart, and no more.
func (g grouping) compact(f *family) []string {
	labels := slices.Concat(holderLabels, g.machine())
	if !g.holdersElsewhere {
		labels = append(labels, exporterLabels...)
	}
	if f == &dcgm {
		return append(labels, dcgmLabels...)
	}
	return slices.Concat(labels, deviceLabels, wordyLabels)
}

// boards are the labels that tell GPUs apart, whoever holds them.
func (g grouping) boards(f *family) []string {
	if f == &dcgm {
		return append(g.machine(), dcgmLabels...)
	}
	return slices.Concat(g.machine(), deviceLabels, wordyLabels)
}

func (g grouping) machine() []string {
	labels := slices.Clone(placeLabels)
	if g.placed {
		labels = slices.DeleteFunc(labels, func(label string) bool { return label == targetLabel })
	}
	return labels
}

// everything are all labels that mean something here.
func everything() []string {
	return slices.Concat(placeLabels, holderLabels, exporterLabels, deviceLabels, wordyLabels)
}
