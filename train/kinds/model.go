package kinds

import "strings"

// modelLabels name a node's accelerator, the most exact first: NVIDIA feature
// discovery, GKE, EKS and Karpenter, AMD's labeller, Intel, Alibaba ACK, AKS.
var modelLabels = []string{
	"nvidia.com/gpu.product",
	"cloud.google.com/gke-accelerator",
	"cloud.google.com/gke-tpu-accelerator",
	"k8s.amazonaws.com/accelerator",
	"karpenter.k8s.aws/instance-gpu-name",
	"eks.amazonaws.com/instance-gpu-name",
	"amd.com/gpu.product-name",
	"beta.amd.com/gpu.product-name",
	"amd.com/gpu.family",
	"beta.amd.com/gpu.family",
	"gpu.intel.com/product",
	"gpu.intel.com/family",
	"aliyun.accelerator/nvidia_name",
	"kubernetes.azure.com/accelerator",
	"accelerator",
}

// acceleratorModel returns the product name of a node's accelerators, without
// the suffixes that sharing and MIG add.
func acceleratorModel(labels map[string]string) string {
	for _, label := range modelLabels {
		if model := labels[label]; model != "" {
			model, _, _ = strings.Cut(model, migSuffix)
			return oneLine(strings.TrimSuffix(model, "-SHARED"))
		}
	}
	return ""
}

// migSuffix is before the profile in the product name of a node whose slices are
// offered as nvidia.com/gpu (NVIDIA's feature discovery with the single strategy:
// A100-SXM4-40GB-MIG-1g.5gb).
const migSuffix = "-MIG-"

// slicedAsGPUs reports whether what the node offers as GPUs are MIG slices.
func slicedAsGPUs(labels map[string]string) bool {
	return strings.Contains(labels["nvidia.com/gpu.product"], migSuffix)
}
