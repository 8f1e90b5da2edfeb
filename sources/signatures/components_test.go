package signatures

import "testing"

// TestMessagesOfComponents checks messages of schedulers, kubelets, runtimes and
// admission that are rarer than those in TestMessagesOfKubernetes. Each is from the
// format string that prints it or from a public issue.
func TestMessagesOfComponents(t *testing.T) {
	f := eventTells(t)
	f("numa-misplacement", "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 cannot align container.")
	f("numa-misplacement", "0/4 nodes are available: 4 node(s) NUMA Topology affinity error.")
	f("insufficient-gpu", "0/4 nodes are available: 4 Insufficient gpu devices.")
	f("device-allocation-failed", "Reason:         OutOfalpha.kubernetes.io/nvidia-gpu")                                                                                            // kubernetes/kubernetes#44438
	f("application-error", "unexpected failure of trial after restart 0/5: container failed with non-zero exit code:  (exit code 1)")                                               // determined-ai/determined#2343
	f("sigkill-received", `pod failed with exit code: 137   id="pod-eac146c4"`)                                                                                                     // the same form
	f("network-hw-degraded", `* Sfc6a1c0300b00580/Nfc6a1c0300b00580/P1/5/1 - "symbol_error_counter" increased during the run (difference value=27,difference allowed threshold=1)`) // ibdiagnet 2
	f("insufficient-gpu", "all nodes are unavailable: 4 Insufficient nvidia.com/gpu.")
	f("too-many-pods", "0/3 nodes are unavailable: 1 node(s) resource fit failed, 2 node(s) pod number exceeded.")
	f("gang-not-ready", "0/3 nodes are unavailable: 3 node(s) resource fit failed.")
	f("queue-quota-exceeded", "0/4 nodes are available: 4 Pod ml/train-0 is rejected in PreFilter because ElasticQuota team-a is more than Max.")
	f("queue-quota-exceeded", `Insufficient quotas, quotaName: team-a, runtime: {"nvidia.com/gpu":8}, used: {"nvidia.com/gpu":8}, pod's request: {"nvidia.com/gpu":1}, exceedDimensions: [nvidia.com/gpu]`)
	f("insufficient-memory", "No nodes are available that match all of the following predicates:: Insufficient cpu (9), Insufficient memory (15), MatchNodeSelector (18).")                                                                                                                     // argoproj/argo-workflows#190
	f("insufficient-cpu", "No nodes are available that match all of the following predicates:: Insufficient cpu (15), Insufficient memory (2), PodToleratesNodeTaints (15).")                                                                                                                   // the same form
	f("node-not-ready", "0/5 nodes are available: 1 node(s) had taint {karpenter.sh/not-ready: }, that the pod didn't tolerate, 4 node(s) didn't match node selector.")                                                                                                                         // aws/karpenter-provider-aws#644
	f("node-not-ready", "0/3 nodes are available: 3 node(s) had untolerated taint {node.cloudprovider.kubernetes.io/uninitialized: true}.")                                                                                                                                                     // aws/karpenter-provider-aws#7426
	f("node-not-ready", "0/3 nodes are available: 3 node(s) had untolerated taint {node.cilium.io/agent-not-ready: }.")                                                                                                                                                                         // Cilium, its taints documentation
	f("untolerated-taint", "0/3 nodes are available: 3 node(s) had untolerated taint {team.example.com/not-for-you: }.")                                                                                                                                                                        // near miss
	f("untolerated-taint", "0/3 nodes are available: 3 node(s) had untolerated taint {karpenter.sh/capacity-type: spot}.")                                                                                                                                                                      // near miss
	f("device-allocation-failed", "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110")                                                                                                                                                           // kubelet 1.36
	f("device-allocation-failed", "exclusive-replicaset-27dzq   0/1     Topology Affinity Error   0          19s")                                                                                                                                                                              // kubernetes/kubernetes#84869
	f("pod-security-denied", `forbidden sysctl: "net.core.somaxconn" not allowlisted`)                                                                                                                                                                                                          // kubelet 1.36
	f("multi-attach", `AttachVolume.Attach failed for volume "pvc-7ff" : rpc error: code = Internal desc = failed to publish volume: volume is already attached to a server, please detach it first (service_error)`)                                                                           // hetznercloud/csi-driver#41
	f("csi-driver-missing", `AttachVolume.Attach failed for volume "pvc-7ff" : rpc error: code = Internal desc = the volume is not attached to a pool`)                                                                                                                                         // near miss
	f("csi-driver-missing", `MountVolume.MountDevice failed for volume "pvc-e3a" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name org.democratic-csi.nfs not found in the list of registered`)                                                        // democratic-csi/democratic-csi#270, cut
	f("failed-mount-timeout", `MountVolume.SetUp failed for volume "pvc-a86" : applyFSGroup failed for vol 192.168.50.210#mnt/user/nfs-csi#pvc-a86##: lstat /var/lib/kubelet/pods/9d3/volumes/kubernetes.io~csi/pvc-a86/mount: stale NFS file handle`)                                          // kubernetes-csi/csi-driver-nfs#927
	f("failed-mount-timeout", `Error: failed to generate container "b38" spec: failed to apply OCI options: failed to stat "/var/lib/kubelet/pods/a70/volumes/kubernetes.io~csi/pvc-a7e/mount": stat /var/lib/kubelet/pods/a70/volumes/kubernetes.io~csi/pvc-a7e/mount: stale NFS file handle`) // kubernetes-csi/csi-driver-smb#419
	f("failed-mount-timeout", `Error: failed to prepare subPath for volumeMount "data" of container "a"`)
	f("failed-mount-timeout", `error mounting "/var/lib/kubelet/pods/1/volume-subpaths/cfg/a/0" to rootfs at "/etc/a.yaml": mount src=/var/lib/kubelet/pods/1/volume-subpaths/cfg/a/0, dst=/etc/a.yaml: not a directory: unknown`)
	const dial = `MountVolume.SetUp failed for volume "x" : rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix `
	f("csi-driver-missing", dial+`/var/lib/kubelet/plugins/cephfs.csi.ceph.com/csi.sock: connect: no such file or directory"`)
	f("csi-driver-missing", dial+`/csi/csi.sock: connect: connection refused"`)
	f("failed-mount-timeout", dial+`/run/other.sock: connect: connection refused"`)
	const pull, refused = `Failed to pull image "r.example.com/a:1": `, `Get https://r.example.com/v2/a/manifests/1: unauthorized: authentication required`
	f("image-not-found", pull+`[rpc error: code = Unknown desc = Error response from daemon: manifest for r.example.com/a:1 not found: manifest unknown: manifest unknown, rpc error: code = Unknown desc = Error response from daemon: `+refused+`]`)
	f("image-not-found", pull+`[rpc error: code = NotFound desc = failed to resolve reference "r.example.com/a:1": r.example.com/a:1: not found, failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized]`)
	f("image-pull-unauthorized", pull+`[rpc error: code = Unknown desc = Error response from daemon: unauthorized: You don't have the needed permissions, rpc error: code = Unknown desc = Error response from daemon: `+refused+`]`)
	f("unbound-pvc", `Cannot bind to requested volume "pv-1": requested PV is too small`)
	f("pvc-wrong-access-mode", `Cannot bind to requested volume "pv-1": incompatible accessMode`)
	f("oom-killed", "OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?): unknown")
	f("application-error", `Error: failed to reserve container name "h_h-58_default_bc1_0": name "h_h-58_default_bc1_0" is reserved for "6a37"`) // k3s-io/k3s#7690
	f("image-disk-full", "Error: failed to create containerd container: failed to create snapshot: mkdir /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/new-123: no space left on device")
	f("resource-quota-exceeded", `pods "a" is forbidden: insufficient quota to match these scopes: [{PriorityClass In [system-node-critical system-cluster-critical]}]`)
	f("admission-webhook-denied", `spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1`)
	f("", `spec.parallelism: Invalid value: -1: must be greater than or equal to 0`)
	f("admission-webhook-denied", `pods "a" is forbidden: pod node label selector conflicts with its namespace node label selector`)
	f("kueue-not-admitted", "  reason: ExceedsMaxQuota")
	f("topology-mismatch", "  reason: TopologyPlacementFailed")
	f("node-lost", "Taints:             node.kubernetes.io/unreachable:NoExecute")                                                                                                                                                                                                              // rancher/rancher#29997
	f("node-not-ready", "Taints:             node.kubernetes.io/disk-pressure:NoSchedule")                                                                                                                                                                                                      // kubernetes/kubernetes#112293
	f("image-pull-unauthorized", `"RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to get sandbox image \"r.example.com/pause:3.9\": failed to pull image \"r.example.com/pause:3.9\": failed to resolve reference: pull access denied, repository do`) // kubernetes/kops#16762, cut
	f("image-not-found", `failed to get sandbox image \"r.example.com/pause:3.9\": failed to pull image \"r.example.com/pause:3.9\": failed to`)
	f("pod-security-denied", `pods "a-" is forbidden: no providers available to validate pod request`)
	f("pvc-not-found", `PersistentVolumeClaim 'default/data' is not in cache`)
	f("", `Pod 'default/a' is not in cache, it is read anew`)
	f("pvc-not-found", `SchedulerPredicates failed due to PersistentVolumeClaim not found: "data", which is unexpected.`)
	f("pvc-lost", `SchedulerPredicates failed due to PersistentVolume not found: "pv-1", which is unexpected.`)
	f("evicted-memory", "Pod The node was low on resource: [MemoryPressure].")
	f("max-volume-count", "0/13 nodes are available: 1 Too many pods, 5 node(s) exceed max volume count, 7 node(s) were unschedulable.")
	f("too-many-pods", "0/13 nodes are available: 5 Too many pods, 1 node(s) exceed max volume count, 7 node(s) were unschedulable.")
	f("no-gpu-visible", "OCI runtime create failed: could not apply required modification to OCI specification: error modifying OCI spec: failed to inject CDI devices: unresolvable CDI devices runtime.nvidia.com/gpu=all: unknown")
	f("queue-quota-exceeded", "Request '5cb8f4a1' does not fit in queue 'root.default' (requested map[memory:1000000 vcore:500], available map[memory:0 vcore:0])")
	f("queue-quota-exceeded", "Request '5cb8f4a1' exceeds the available user quota (requested map[vcore:500], available map[vcore:0])")
	f("", "Request '5cb8f4a1' has become schedulable in queue 'root.default'")
	f("untolerated-taint", "Unschedulable request '5cb8f4a1': node(s) had taints that the pod didn't tolerate (5x); ")
	f("queue-quota-exceeded", "Application app-1 scheduling failed, reason: ApplicationRejected: failed to find queue root.ml")
	f("gang-not-ready", "Application app-1 placeholder has been timed out")
	f("", "Application app-1 placeholder has been allocated.")
	f("insufficient-gpu", "no nodes with enough resources were found: 3 node(s) didn't have enough resources: GPUs.")
	f("insufficient-gpu", "Not enough resources for the workload: rack-1 didn't have enough resource: GPUs, requested: 16, available: 8.")
	f("insufficient-cpu", "<gpu-1>: Node didn't have enough resources: CPU cores, requested: 64, used: 90, capacity: 96.")
	f("device-allocation-failed", "Node didn't have enough resource: cpu, requested: 64000, used: 90000, capacity: 96000")
	f("gang-not-ready", "Unable to schedule podgroup")
	f("kueue-not-admitted", "Waiting for resources. Currently there are not enough resources available to fulfill the request.")
	f("autoscaler-not-scaling-up", "Node scale up in zones us-central1-a associated with this pod failed: GCE out of resources. Pod is at risk of not being scheduled.")
	f("autoscaler-not-scaling-up", `"messageId": "no.scale.up.nap.pod.gpu.no.limit.defined"`)
	f("autoscaler-not-scaling-up", "Pod ml/a-0 can't be scheduled on gpu-pool, predicate checking error: Insufficient nvidia.com/gpu; predicateName=NodeResourcesFit; reasons: Insufficient nvidia.com/gpu; debugInfo=")
	f("", "Final scale-up plan: [{gpu-pool 0->1 (max: 4)}]")
	f("autoscaler-not-scaling-up", "Launching a new EC2 instance. Status Reason: We currently do not have sufficient g4dn.xlarge capacity in the Availability Zone you requested (us-west-2a).")
	f("autoscaler-not-scaling-up", "The zone 'projects/p/zones/us-central1-f' does not have enough resources available to fulfill the request.  Try a different zone, or try again later.")
	f("autoscaler-not-scaling-up", "Operation results in exceeding quota limits of Core. Maximum allowed: 20, Current in use: 6, Additional requested: 40.")
	f("autoscaler-not-scaling-up", "Quota 'NVIDIA_T4_GPUS' exceeded.  Limit: 1.0 in region us-central1.")
	f("provisioning-failed", `failed to provision volume with StorageClass "ssd": googleapi: Error 403: QUOTA_EXCEEDED - Quota 'SSD_TOTAL_GB' exceeded.  Limit: 500.0 in region us-central1.`)
	f("pod-preempted", "Pod is evicted, because of preempt")
	f("", "Pod is evicted, because of a rebuild of its node")
	f("pod-preempted", "Preempted by 3f0a from application app-2 in root.ml")
	f("node-lost", "Deleting node gpu-1 because it does not exist in the cloud provider")
	f("image-registry-unreachable", `Failed to pull image "nvcr.io/nvidia/pytorch:24.01-py3": rpc error: code = Canceled desc = failed to pull and unpack image "nvcr.io/nvidia/pytorch:24.01-py3": context canceled`)
	f("failed-mount-timeout", "libceph: mon0 (1)10.0.0.4:6789 socket closed (con state CONNECTING)")
	f("", "libceph: mon0 (1)10.0.0.4:6789 session established")
	f("", "libceph: osd3 (1)10.0.0.5:6801 socket closed (con state OPEN)")
	f("insufficient-gpu", "0/8 nodes are available: 8 Insufficient tke.cloud.tencent.com/qgpu-core.")
	f("insufficient-gpu", "0/8 nodes are available: 8 Insufficient koordinator.sh/gpu-core.")
	f("device-plugin-missing", "0/8 nodes are available: 8 Insufficient vpc.amazonaws.com/efa.")
	f("insufficient-cpu", "0/8 nodes are available: 8 Insufficient cpu.")
	f("kueue-not-admitted", "Normal  CreatedWorkload  5m  batch/job-kueue-controller  Created Workload: ml/job-bert-992ea")
	f("", "Normal  Resumed  4m  job-controller  Job resumed")
	f("gang-not-ready", "    message: Insufficient resources to dispatch AppWrapper.")
	f("gang-not-ready", "  phase: PreScheduling")
	f("", "  phase: Scheduled")
	f("device-plugin-missing", "gpu-operator   nvidia-device-plugin-daemonset-xk2p8   0/1     CrashLoopBackOff   12 (3m ago)      40m")
	f("device-plugin-missing", "gpu-operator   nvidia-operator-validator-5nq6z        0/1     Init:0/4           0                40m")
	f("", "gpu-operator   nvidia-device-plugin-daemonset-xk2p8   1/1     Running   12 (3m ago)      40m")
	f("mig-resource-mismatch", "                    nvidia.com/mig.config.state=failed")
	f("", "                    nvidia.com/mig.config.state=success")
	f("device-plugin-missing", "I0703 10:11:12.123456       1 main.go:287] No devices found. Waiting indefinitely.")
	f("device-plugin-missing", "E0703 10:11:12.123456       1 factory.go:115] Incompatible platform detected")
	f("application-error", "message: 'Job entrypoint command failed with exit code 1, last available logs (truncated to 20,000 chars):'")
	f("insufficient-gpu", "1 nodes CardUuidMismatch(gpu-node-b)")
	f("insufficient-gpu", "Warning  FilteringFailed   96s (x13 over 98s)  hami-scheduler  1 nodes ModeNotFit(gpu-node-b)")
	f("numa-misplacement", "2 nodes NumaNotFit(gpu-node-a, gpu-node-b)")
	f("admission-webhook-denied", `"msg"="spec.ValidationFailureAction set to enforce blocking resource request" "action"="validate" "operation"="CREATE"`)
	f("unbound-pvc", "app-data-claim Pending fast-ssd 8m")
	f("", "app-0 0/1 Pending 0 8m")
	f("", "app-data-claim Bound pvc-1 10Gi RWO fast-ssd 8m")
	f("gang-not-ready", "vcjob       train-7bf8f0f6    Pending   1                      5m15s")
	f("gang-not-ready", "train-7bf8f0f6    Inqueue   4                      5m15s")
	f("", "train-7bf8f0f6    Running   4         4            5m15s")
	f("sandbox-network", `rpc error: code = 2 desc = failed to start sandbox container for pod "a": operation timeout: context deadline exceeded`)
	f("hostpath-missing", `Error: failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/profiles/a.json": open /var/lib/kubelet/seccomp/profiles/a.json: no such file or directory`)
	f("image-not-found", `Error: reference "[overlay@/var/lib/containers/storage+/run/containers/storage]docker.io/a/b@sha256:4f18" does not resolve to an image ID`)
	f("image-registry-unreachable", `failed to pull image "k8s.gcr.io/pause:3.1": failed to do request: Head https://k8s.gcr.io/v2/pause/manifests/3.1: dial tcp 64.233.189.82:443: i/o ti`)
	f("multi-attach", "Warning  FailedAttachVolume  Multi-Attach error for volume")
	f("evicted-disk-pressure", "Warning  Evicted  2m  kubelet  Pod a evicted due to disk pressure")
	f("evicted-memory", "Warning  Evicted  2m  kubelet  Pod a evicted due to memory pressure")
	f("command-not-found", `unable to start container process: exec: "/app/bin": stat /app/bin: not a directory: unknown`)
	f("device-allocation-failed", "nvidia-container-cli.real: initialization error: driver rpc error: timed out")
	f("no-gpu-visible", "nvidia-container-cli.real: initialization error: nvml error: driver not loaded: unknown")
	f("image-registry-unreachable", "io/pause:3.1\": failed to do request: Head https://k8s.gcr.io/v2/pause/manifests/3.1: dial tcp 108.")
	f("unbound-pvc", `Warning  FailedBinding  8s  persistentvolume-controller  volume "a" already bound to a different claim.`)
	f("csi-driver-missing", "# not found in the list of registered CSI drivers")
	f("admission-webhook-down", `W0424 17:32:15.123456 1 dispatcher.go:142] Failed calling webhook "mutate.a.io":`)
	f("api-version-no-match", `no matches for kind "PyTorchJob"`)
	f("rbac-forbidden", "error: You must be logged in to the server (Unauthorized)")
	f("scheduling-gate", "Phase: Pending, Reason: SchedulingGated")
	f("", "The gate is taken off and SchedulingGated is over")
	f("pod-preempted", "default     10s   Normal   Preempted   pod/batch-1    Preempted by critical-service")
	f("pod-preempted", "2m   Normal   Preempted   pod/batch-1   By default/critical-app-5c8d7f on node n-1")
	f("provisioning-failed", `Failed to provision volume with StorageClass "ceph": failed to create rbd image: executable file not found in $PATH, command output:`)
	f("image-not-found", `Failed to inspect image "a/b:1": rpc error: code = Unknown desc = Error response from daemon: readlink /var/lib/docker/overlay2: invalid argument`)
	f("failed-mount-timeout", "kubernetes.io/csi: mounter.SetupAt failed: rpc error: code = DeadlineExceeded desc = context deadline exceeded")
	f("queue-quota-exceeded", "0/2 nodes are available: 2 ExceedsGPUQuota.")
	f("node-not-ready", "  Ready            False   Mon, 03 Aug 2026 12:05:00 +0900   Mon, 03 Aug 2026 12:05:00 +0900   KubeletNotReady   container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized")
	f("sandbox-network", "network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized")
	f("", "                 node.kubernetes.io/disk-pressure:NoSchedule op=Exists")
	f("", "Tolerations:     node.kubernetes.io/unreachable:NoExecute op=Exists for 300s")
	f("", "                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s")
}
