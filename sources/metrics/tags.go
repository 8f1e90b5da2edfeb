package metrics

import "strings"

// tags are the labels of a sample by their meaning, whatever name an exporter gives
// them.
type tags struct {
	node, host, target    string // target: instance, the address that was scraped
	index, uuid, bus      string
	model                 string
	profile, mig, share   string
	namespace, pod        string
	container             string
	job, service          string
	exported              holder // of a sample that Prometheus stored: exported_pod and similar labels
	hasExported           bool
	kind, place           string // type of an engine or clock; where a temperature is measured
	xid, event, part      string
	window                string // ms
	link, foreign         string // foreign: a switch or a CPU, not a GPU
	process, tile         string
	partition, partitions string // AMD: number of the partition, and how the board is split
	maker, card           string
	board, number         string // the labels gpu and gpu_index, each by itself
	ordinal, id           string

	indexRank int
}

// holder is a container of a pod.
type holder struct{ namespace, pod, container string }

// clear resets tags for another sample.
func (t *tags) clear() { *t = tags{} }

// set sets a field from a label. Sources of the names: dcgm-exporter 1.x (gpu, uuid,
// pod_name), 2.x to 4.8 (UUID, Hostname), HEAD (hostname); AMD
// device-metrics-exporter 1.4; XPU Manager 1.x and xpumd 2.x; GKE's TPU and
// GPU device plugins; neuron-monitor-prometheus.py 2.x; HAMi 2.2 to 2.10.
func (t *tags) set(name, value string) {
	if value == "" {
		return
	}
	switch name {
	case "gpu", "gpu_memory":
		t.board = value
	case "gpu_index", "index":
		t.number = value
	}
	switch name {
	case "gpu", "gpu_id", "gpu_index":
		if strings.HasPrefix(value, "GPU-") {
			t.uuid = value
			return
		}
		t.offerIndex(5, value)
	case "npu_id", "npuID", "neuroncore", "accelerator_id", "index", "mlu", "minor_number", "minor", "deviceidx", "deviceid", "deviceId", "device_index":
		t.offerIndex(4, value)
	case "dev_file":
		t.offerIndex(3, value)
	case "device", "device_id", "card":
		t.offerIndex(1, strings.TrimPrefix(value, "nvidia"))
		t.card = value
	case "UUID", "uuid", "gpu_uuid", "acc_id", "deviceuuid", "device_uuid":
		t.uuid = value
	case "pci_bus_id", "bus_id", "pci", "pci_addr", "pci_bdf", "bdf", "pcie_bus_info", "busid", "pcieBus_number":
		t.bus = value
	case "card_series": // AMD's alone
		t.model, t.card = value, value
	case "modelName", "deviceName", "model_name", "gpu_name", "model", "dev_name", "instance_type", "devicetype", "device_type":
		t.model = value
	case "name": // beside a model it is another name: that of the container in cAdvisor's
		if t.model == "" {
			t.model = value
		}
	case "card_model", "serial_number":
		t.card = value
	case "GPU_I_PROFILE", "gpu_i_profile", "dra_mig_profile":
		t.profile = value
	case "GPU_I_ID", "gpu_i_id":
		t.mig = value
	case "vgpu", "vf":
		t.share = value
	case "gpu_partition_id":
		t.partition = value
	case "gpu_compute_partition_type":
		t.partitions = value
	default:
		t.setPlace(name, value)
	}
}

func (t *tags) setPlace(name, value string) {
	switch name {
	case "node", "kubernetes_node", "node_name", "nodename", "nodeid", "exported_node", "gpu_node":
		t.node = value
	case "Hostname", "hostname", "host", "instance_id":
		t.host = value
	case "instance":
		t.target = value
	case "job":
		t.job = value
	case "service":
		t.service = value
	case "pod", "pod_name", "podName", "kube_pod":
		t.pod = value
	case "namespace", "pod_namespace", "kube_namespace":
		t.namespace = value
	case "container", "container_name", "containerName", "kube_container":
		t.container = value
	case "exported_pod", "podname", "gpu_pod_name": // podname: HAMi's, beside the pod that was scraped
		t.exported.pod, t.hasExported = value, true
	case "exported_namespace", "podnamespace", "namepace_name": // which k8s-gpu-exporter writes so
		t.exported.namespace, t.hasExported = value, true
	case "exported_container", "ctrname":
		t.exported.container, t.hasExported = value, true
	default:
		t.setDetail(name, value)
	}
}

func (t *tags) setDetail(name, value string) {
	switch name {
	case "type", "clock_type", "hw_gpu_task", "hw_gpu_engine", "hw_type":
		t.kind = value
	case "location", "sensor", "hw_sensor_location", "hw_memory_location":
		t.place = value
	case "xid", "err_code":
		t.xid = value
	case "clock_event":
		t.event = value
	case "health_watch":
		t.part = value
	case "window_size_in_ms":
		t.window = value
	case "nvlink":
		t.link = value
	case "nvswitch", "cpu", "cpucore":
		t.foreign = value
	case "pid", "process_name":
		t.process = value
	case "sub_dev", "com_intel_subdevice_id":
		t.tile = value
	case "make":
		t.maker = value
	case "ordinal":
		t.ordinal = value
	case "id": // npu-exporter's number; cAdvisor's path of a cgroup
		t.id = value
	}
}

// offerIndex sets an index unless one of a higher rank is known.
func (t *tags) offerIndex(rank int, value string) {
	if rank > t.indexRank {
		t.index, t.indexRank = value, rank
	}
}

// holder returns the pod that the sample is about. Prometheus, when it scrapes
// without honorLabels, moves a pod's name to exported_pod and writes the exporter's
// own into pod: a sample of a free GPU then names only the exporter.
func (t *tags) holder() holder {
	if t.hasExported {
		return t.exported
	}
	if t.pod != "" && t.target != "" && t.namesExporter() {
		return holder{}
	}
	if t.pod == "" {
		return holder{}
	}
	return holder{t.namespace, t.pod, t.container}
}

// namesExporter reports whether the pod of a scraped sample is the one that was
// scraped: its name is the host's, begins with its service or job, or contains
// "exporter".
func (t *tags) namesExporter() bool {
	switch {
	case t.pod == t.host:
		return true
	case t.service != "" && strings.HasPrefix(t.pod, t.service+"-"):
		return true
	case t.job != "" && strings.HasPrefix(t.pod, t.job+"-"):
		return true
	}
	return strings.Contains(t.pod, "-exporter-") || strings.HasSuffix(t.container, "-exporter") || t.container == "exporter"
}
