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
			model, _, _ = strings.Cut(model, "-MIG-")
			return oneLine(strings.TrimSuffix(model, "-SHARED"))
		}
	}
	return ""
}
