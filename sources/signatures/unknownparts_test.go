package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestReasonsOfPluginsNameTheirSubject checks what schedulers, operators and drivers of
// storage report in words of their own, where their subject identifies the cause; origins:
// github.com/volcano-sh/volcano/issues/4511, kubernetes/kubernetes/issues/139016,
// kubernetes-sigs/karpenter/pull/1370, kubeflow/trainer/issues/2363, ctrox/csi-s3/pull/70,
// k8sp/sextant/issues/397, kyverno/kyverno/issues/1336, kubernetes-sigs/jobset/issues/597,
// istio/istio/issues/28063 and 36186, containerd/containerd/issues/6080,
// Netflix/metaflow/issues/1469, Azure/AKS/issues/1444, skypilot-org/skypilot/pull/10803 and
// issues/1450, kubernetes/kubernetes/issues/31397, NVIDIA/gpu-operator/issues/18, 155, 448 and 593,
// NVIDIA/nvidia-docker/issues/1242, NVIDIA/k8s-device-plugin/issues/679,
// argoproj/argo-workflows/issues/5126, kubernetes-sigs/lws/issues/998,
// ray-project/ray/issues/13905, 16935 and 21097, rllm-org/rllm/issues/35,
// NVIDIA/dcgm-exporter/issues/27 and 612, NVIDIA/gpu-monitoring-tools/issues/96.
func TestReasonsOfPluginsNameTheirSubject(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"0/1 nodes are unavailable: 1 hami-vgpuDeviceSharing error.":                                                                                                               "insufficient-gpu",
		"0/4 nodes are available: 4 xpuCards are taken.":                                                                                                                           "insufficient-gpu",
		"0/4 nodes are available: 4 rack quota of tenant a.":                                                                                                                       "node-selector-mismatch",
		"running Score plugins: plugin \"DynamicResources\" failed with: number of allocations 1 is smaller than number of claims 2":                                               "dra-claim-pending",
		"running \"VolumeBinding\" prebind plugin for pod \"p\": could not reach the class":                                                                                        "unbound-pvc",
		"2m  Normal  Evicted  pod/a-0  Evicted pod: node pool-qa/ip-10-0-0-1 drifted":                                                                                              "pod-preempted",
		"Evicted: The node was low on compute resources.":                                                                                                                          "kubelet-ended-pod",
		"job \\\"t-0\\\" creation failed with error: Job.batch \\\"t-0\\\" is invalid: spec.template.spec.containers[0].resources.limi":                                            "admission-webhook-denied",
		"The page \"a\" is invalid: see the manual":                                                                                                                                "",
		"GRPC error: stat /var/lib/kubelet/pods/b99/volumes/kubernetes.io~csi/pvc-1/mount: software caused connection abort":                                                       "failed-mount-timeout",
		"error gathering device information while adding custom device \"/dev/nvidia0\": lstat /dev/nvidia0: no such file or directory":                                            "no-gpu-visible",
		"error gathering device information while adding custom device \"/dev/ttyUSB0\": no such file or directory":                                                                "device-allocation-failed",
		"msg=\"CRD not installed\" kind=\"ClusterPolicy\"":                                                                                                                         "api-version-no-match",
		"Start the eviction of the workload due to exceeding the PodsReady timeout":                                                                                                "kueue-not-admitted",
		"error=\"Workload.kueue.x-k8s.io \\\"<jobset_name>\\\" is invalid: spec.podSets: Too many: 15: must have at most 8 items\"":                                                "admission-webhook-denied",
		"Failed to pull image \"nvcr.io/a:1\": 401 Authorization Required":                                                                                                         "image-pull-unauthorized",
		"nvidia-operator-validator-zg6kt   0/1     Init:2/4   0              16s":                                                                                                  "",
		"nvidia-operator-validator-zg6kt   0/1     Init:2/4   0              5m1s":                                                                                                 "device-plugin-missing",
		"nvidia-operator-validator-zg6kt   0/1     Init:Error   0            16s":                                                                                                  "device-plugin-missing",
		"nvidia-device-plugin-ds-zg6kt   0/1     CrashLoopBackOff   7 (2m ago)   16m":                                                                                              "device-plugin-missing",
		"gpu-operator   nvidia-device-plugin-daemonset   1         1         0       1            0           nvidia.com/gpu.deploy.device-plugin=true   37m":                      "device-plugin-missing",
		"gpu-operator   nvidia-device-plugin-daemonset   1         1         0       1            0           nvidia.com/gpu.deploy.device-plugin=true   21s":                      "",
		"gpu-operator   nvidia-device-plugin-daemonset   2         2         2       2            2           nvidia.com/gpu.deploy.device-plugin=true   37m":                      "",
		"gpu-operator   nvidia-driver-daemonset          0         0         0       0            0           nvidia.com/gpu.deploy.driver=true          37m":                      "",
		"Unable to open the file '/lib/modules/3.10.0/proc/version' (No such file or directory).Could not resolve Linux kernel version":                                            "device-plugin-missing",
		"Could not unload NVIDIA driver kernel modules, driver is in use":                                                                                                          "device-plugin-missing",
		"E0423 06:04:56.558122      39 main.go:301] Failed to start plugin: error waiting for MPS daemon: error checking MPS daemon health: exit status 1":                         "device-plugin-missing",
		"time=\"2021-02-17T06:08:34.272Z\" level=info msg=\"node estimate-1613 message: pod deleted\" namespace=bibd workflow=estimate":                                            "application-error",
		" ⚠ train(0)   train   job-123   2m  pod deleted":                                                                                                                          "application-error",
		"level=info msg=\"finished pod deleted by the clean-up of pods\"":                                                                                                          "",
		"2m  Normal  RecreateGroup  lws/a  Worker pod lws-0-1 failed, deleted leader pod lws-0 to recreate group 0":                                                                "application-error",
		"The actor or task with ID 8bcd cannot be scheduled right now. It requires {CPU: 1.000000} for placement, however the cluster currently cannot provide it.":                "insufficient-cpu",
		"The actor or task with ID 8bcd cannot be scheduled right now. It requires {CPU: 1.000000}, {GPU: 1.000000} for placement, but this node only has remaining {memory: 71}.": "insufficient-gpu",
		"  | Required resources for this actor or task: {GPU: 1.000000}":                                                                                                           "insufficient-gpu",
		"(autoscaler +34s) Error: No available node types can fulfill resource request defaultdict(<class 'float'>, {'CPU': 8.0, 'GPU': 8.0}).":                                    "insufficient-gpu",
		"time=2026-09-19T20:06:59.547Z level=ERROR msg=\"Cannot init NVML library; err: ERROR_LIBRARY_NOT_FOUND\"":                                                                 "no-gpu-visible",
		"Error: Failed to initialize NVML": "no-gpu-visible",
		"2021-11-23 00:15:20.507 ERROR [76:76] Cannot initialize the hostengine: Error: Failed to initialize NVML [/workspaces/dcgm/DcgmHostEngineHandler.cpp:3647]":      "no-gpu-visible",
		"  Normal  CreatedWorkload   24s   batch/job-kueue-controller  Created Workload: my-namespace/job-my-job-19797":                                                   "",
		"24s   Normal  CreatedWorkload  job/a  Created Workload: my-namespace/job-my-job-19797":                                                                           "",
		"3m5s   Normal  CreatedWorkload  job/a  Created Workload: my-namespace/job-my-job-19797":                                                                          "kueue-not-admitted",
		"Created Workload: my-namespace/job-my-job-19797":                                                                                                                 "kueue-not-admitted",
		"Error to get IB device: %v. No valid EFA devices found":                                                                                                          "device-plugin-missing",
		"dial tcp: lookup train-master-0 on 10.96.0.10:53: no such host":                                                                                                  "master-addr-unresolvable",
		"lookup istiod.istio-system.svc on 169.254.25.10:53: no such host":                                                                                                "master-addr-unresolvable",
		"[ERROR] plugin/errors: 2 a.b.svc.cluster.local. A: dial tcp 10.233.0.3:53: i/o timeout":                                                                          "master-addr-unresolvable",
		"Failed to pull image \"r.example.com/a:1\": dial tcp: lookup r.example.com on 10.96.0.10:53: no such host":                                                       "image-registry-unreachable",
		"failed calling webhook \"w\": Post \"https://w.a.svc:443/m\": dial tcp: lookup w.a.svc on 10.96.0.10:53: no such host":                                           "admission-webhook-down",
		"failed to handle container TaskExit event: failed to stop container: Container not ready or stopped, impossible to delete":                                       "stuck-terminating",
		"Run pod sandbox failed: rpc error: code = Unknown desc = failed to create task for sandbox \"9\": failed to load cgroup /a":                                      "application-error",
		"2021-09-21 20:27:10.660 [6617/start/1 (pid 14120)] Completed. This could be a transient error. Use @retry to retry.":                                             "application-error",
		"2021-09-21 20:27:10.660 [6617/start/1 (pid 14120)] Evicted: Pod The node had condition: [DiskPressure]. . This could be a transient error. Use @retry to retry.": "evicted-disk-pressure",
		"The requested size for resource 'x' is currently not available in location 'eastus' zones '1,2,3' for subscription 'y'.":                                         "autoscaler-not-scaling-up",
		"  Reason: Pod c-head failed: Preempted by Kueue: WorkloadEvictedDueToPodsReadyTimeout (Exceeded the PodsReady timeout ns/c)":                                     "kueue-not-admitted",
		"E 11-26 17:47:34 cloud_vm_ray_backend.py:1118] *** Failed provisioning the cluster. ***":                                                                         "autoscaler-not-scaling-up",
		"open /dev/kfd: no such file or directory":                                                                                                                        "no-gpu-visible",
	})
}
