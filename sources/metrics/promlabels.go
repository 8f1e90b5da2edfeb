package metrics

import "slices"

// The labels by which queries group series: those that tags.set knows. Grouping by a
// label that a series does not have costs nothing, so the lists need not depend on
// the exporter.
var (
	placeLabels = []string{
		"node", "kubernetes_node", "node_name", "nodename", "exported_node",
		"Hostname", "hostname", "host", "instance_id", targetLabel,
	}
	// exporterLabels name the pod that was scraped. They name the pod that holds
	// the GPU if the exporter was scraped with honorLabels, or if it writes no pod
	// labels of its own.
	exporterLabels = []string{"namespace", "pod", "container"}
	holderLabels   = []string{
		"exported_namespace", "exported_pod", "exported_container", "pod_name", "pod_namespace", "container_name",
		"kube_pod", "kube_namespace", "kube_container", "podName", "containerName", "podname", "podnamespace", "ctrname",
	}
	// dcgmLabels distinguish the samples of DCGM's exporter.
	dcgmLabels = []string{
		"gpu", "UUID", "uuid", "GPU_I_ID", "GPU_I_PROFILE", "vgpu", "nvlink", "nvswitch", "cpu", "cpucore", "pid", "process_name",
		"xid", "clock_event", "health_watch", "window_size_in_ms",
	}
	deviceLabels = append([]string{
		"gpu_id", "gpu_index", "npu_id", "npuID", "neuroncore", "accelerator_id", "index", "minor_number", "dev_file", "device", "device_id", "card",
		"gpu_uuid", "acc_id", "gpu_i_profile", "gpu_i_id", "gpu_partition_id", "gpu_compute_partition_type",
		"type", "clock_type", "hw_gpu_task", "hw_gpu_engine", "hw_type", "location", "hw_sensor_location", "hw_memory_location",
		"sub_dev", "com_intel_subdevice_id", "make", "ordinal", "deviceidx", "device_index", "deviceuuid", "device_uuid",
	}, dcgmLabels...)
	// wordyLabels describe a GPU, or the pod that was scraped: they need not be
	// repeated with every sample.
	wordyLabels = []string{
		"pci_bus_id", "pci_bdf", "bdf", "pcie_bus_info", "modelName", "model_name", "model", "card_series", "dev_name", "name", "instance_type",
		"card_model", "serial_number", "devicetype", "device_type", "job", "service",
	}
)

// targetLabel is the address that was scraped.
const targetLabel = "instance"

// grouping decides by which labels samples of an exporter are grouped.
type grouping struct {
	// holdersElsewhere: exporterLabels name no GPU's holder.
	holdersElsewhere bool
	// placed: every GPU names its machine, so the address is not needed.
	placed bool
}

// compact returns only the labels that distinguish samples.
func (g grouping) compact(f *exporter) []string {
	labels := slices.Concat(holderLabels, g.machine())
	if !g.holdersElsewhere {
		labels = append(labels, exporterLabels...)
	}
	if f == &dcgm {
		return append(labels, dcgmLabels...)
	}
	return slices.Concat(labels, deviceLabels, wordyLabels, own(f))
}

// boards returns the labels that distinguish GPUs, without their holders.
func (g grouping) boards(f *exporter) []string {
	if f == &dcgm {
		return append(g.machine(), dcgmLabels...)
	}
	return slices.Concat(g.machine(), deviceLabels, wordyLabels, own(f))
}

func (g grouping) machine() []string {
	labels := slices.Clone(placeLabels)
	if g.placed {
		labels = slices.DeleteFunc(labels, func(label string) bool { return label == targetLabel })
	}
	return labels
}

// own returns the labels that only one exporter is grouped by: id is the number of a
// board for it, and the path of a cgroup for cAdvisor.
func own(f *exporter) []string {
	if f == &npu {
		return []string{"id"}
	}
	return nil
}

// everything returns all labels that this package reads of an exporter.
func everything(f *exporter) []string {
	return slices.Concat(placeLabels, holderLabels, exporterLabels, deviceLabels, wordyLabels, own(f))
}
