package kinds

import "strings"

// unit is what one of a resource counts.
type unit uint8

const (
	notAccelerator unit = iota
	// device counts GPUs, slices of one, or shared replicas that a device
	// plugin offers as one.
	device
	// amount counts memory or cores of a device. Requesting it without naming
	// a device requests a share of one.
	amount
)

// unitOf returns what a resource name counts. Suffixes alone are not enough:
// nvidia.com/<pool> may be a network card, and gpumem is no device.
func unitOf(resource string) unit {
	domain, name, qualified := strings.Cut(resource, "/")
	if !qualified {
		return notAccelerator
	}
	if known, listed := acceleratorResources[resource]; listed {
		return known
	}
	switch {
	case isSlice(resource):
		return device
	case domain == "nvidia.com" && strings.HasSuffix(name, ".shared"):
		return device // time-slicing under another name
	case domain == "huawei.com" && strings.HasPrefix(name, "Ascend"):
		if strings.HasSuffix(name, "-memory") {
			return amount
		}
		return device
	case domain == "amd.com" && strings.Contains(name, "_nps"):
		return device // compute partitions of AMD's device plugin: cpx_nps4
	case strings.HasPrefix(domain, "requests.") || strings.HasPrefix(domain, "limits."):
		return notAccelerator // the form in quotas
	case name == "gpu" || name == "vgpu":
		return device // vendors without a row: metax-tech.com/gpu, mthreads.com/vgpu
	}
	return notAccelerator
}

// isSlice reports whether a resource is a MIG profile (NVIDIA's device plugin with the
// mixed strategy).
func isSlice(resource string) bool { return strings.HasPrefix(resource, "nvidia.com/mig-") }

// acceleratorResources lists resource names by vendor.
var acceleratorResources = map[string]unit{
	"nvidia.com/gpu":                    device,
	"nvidia.com/gpu.shared":             device,
	"alpha.kubernetes.io/nvidia-gpu":    device,
	"nvidia.com/gpumem":                 amount, // HAMi
	"nvidia.com/gpucores":               amount,
	"nvidia.com/gpumem-percentage":      amount,
	"volcano.sh/vgpu-number":            device, // Volcano vGPU, and its older names
	"volcano.sh/vgpu-memory":            amount,
	"volcano.sh/vgpu-cores":             amount,
	"volcano.sh/vgpu-memory-percentage": amount,
	"volcano.sh/gpu-number":             device,
	"volcano.sh/gpu-memory":             amount,

	"amd.com/gpu": device,

	"gpu.intel.com/i915":       device, // _monitoring variants are no compute
	"gpu.intel.com/xe":         device,
	"gpu.intel.com/millicores": amount,
	"gpu.intel.com/memory.max": amount,
	"gpu.intel.com/tiles":      amount,
	"habana.ai/gaudi":          device,

	"aws.amazon.com/neuron":       device,
	"aws.amazon.com/neurondevice": device,
	"aws.amazon.com/neuroncore":   device,

	"google.com/tpu": device,

	"aliyun.com/gpu":                 device,
	"aliyun.com/gpu-mem":             amount,
	"aliyun.com/gpu-core.percentage": amount,

	"cambricon.com/mlu": device,
	"hygon.com/dcu":     device,
	"iluvatar.com/gpu":  device,
	"enflame.com/gcu":   device,
	"kunlunxin.com/xpu": device,
	"qualcomm.com/qaic": device,
}
