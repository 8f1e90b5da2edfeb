package kinds

import "testing"

func TestUnitOf(t *testing.T) {
	for resource, want := range map[string]unit{
		"cpu": notAccelerator, "hugepages-2Mi": notAccelerator, "rdma/hca": notAccelerator,
		"vpc.amazonaws.com/efa": notAccelerator, "nvidia.com/hostdev": notAccelerator, "gpu.intel.com/i915_monitoring": notAccelerator,
		"requests.nvidia.com/gpu": notAccelerator,
		"nvidia.com/gpu":          device, "nvidia.com/mig-1g.5gb": device, "nvidia.com/mig-7g.80gb.me": device, "nvidia.com/gpu.shared": device,
		"amd.com/gpu": device, "habana.ai/gaudi": device, "google.com/tpu": device, "aws.amazon.com/neuroncore": device,
		"huawei.com/Ascend910": device, "huawei.com/Ascend310P-memory": amount,
		"nvidia.com/gpumem": amount, "volcano.sh/vgpu-memory": amount, "aliyun.com/gpu-mem": amount, "aliyun.com/gpu-core.percentage": amount,
		"volcano.sh/vgpu-number": device,
	} {
		if got := unitOf(resource); got != want {
			t.Errorf("%s: %d, want %d", resource, got, want)
		}
	}
}
