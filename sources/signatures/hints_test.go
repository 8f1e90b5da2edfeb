package signatures

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// Lines that match no row, written for this test in words that programs could use;
// and harmless lines.
func TestHintsGoByWords(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"FATAL: board 3 says its GPU fell off the bus":                            "gpu-fell-off-bus",
		"fabricmanager: link 4 reports a fatal condition":                         "nvlink-error",
		"clocks: HW Thermal Slowdown is engaged, active":                          "thermal-throttle",
		"the store based barrier timed out on 3 ranks":                            "rendezvous-timeout",
		"collectives of rank 2 and rank 3 are out of sync":                        "nccl-desync",
		"rank 0 hangs in its loader, so that all other ranks sit in all_reduce":   "one-rank-behind",
		"HCCL: no answer, collective timed out":                                   "nccl-timeout",
		"orted on gpu-3 was lost":                                                 "mpi-worker-lost",
		"raylet of gpu-3 is dead":                                                 "ray-worker-died",
		"nrt: error 7 while opening nd0":                                          "neuron-init-failed",
		"my_ext.so: undefined symbol: _ZN2at6detail":                              "python-import-error",
		"entry.sh: line 3: torchrun: command not found":                           "command-not-found",
		"mkdir /out: Permission denied":                                           "permission-denied",
		"cannot copy '/data/x.bin': [Errno 2] gone":                               "file-not-found",
		"pull of layer 4 failed: remote error: tls: handshake failure":            "image-registry-unreachable",
		"pods may not be made: cpu is limited by quota, make an explicit request": "quota-requests-missing",
		"node gpu-3 has a taint that nobody tolerates":                            "untolerated-taint",
		"no Secret named x: secret does not exist":                                "secret-not-found",
		"The gradient norm became NaN":                                            "nan-loss",
		"upload to s3://bucket/x failed":                                          "dataset-download-failure",
		"process was ended by SIGKILL":                                            "sigkill-received",

		"x.OutOfMemoryError: Java heap space":                "oom-killed",
		"x.OutOfMemoryError: unable to create native thread": "process-limit",
		"x.UnknownHostException: driver-svc.ml.svc":          "master-addr-unresolvable",
		"store of x: SocketImpl failed to recv, got 0 bytes": "nccl-connection-lost",
		"no heartbeat for component sampler-3":               "hang-no-output",
		"stopped, due to lack of heartbeats of the workers":  "hang-no-output",
		"subnet b has not enough IpAddress left":             "sandbox-network",
		"cannot lease a network: pod CIDR not assigned":      "sandbox-network",
		"gpfs: fs1 has been unmounted":                       "storage-hang",
		"the request exceeds the regional cores quota":       "autoscaler-not-scaling-up",
		"booster: no connection to the tracker, timed out":   "rendezvous-timeout",
		"rpc: failed to connect to all addresses":            "rendezvous-timeout",
		"assert failed: world_size == tp * pp":               "parallel-sizes-mismatch",
		"heartbeat timeout is 60 s":                          "",
		"logging to the tracker of experiments":              "",
		"3 IP addresses are enough":                          "",

		"训练失败：显存不足":                                                               "cuda-out-of-memory",
		"错误：GPU 内存不足":                                                             "cuda-out-of-memory",
		"内存不足，进程被终止":                                                              "oom-killed",
		"磁盘空间不足，保存失败":                                                             "no-space-left",
		"错误：连接超时 10.0.0.3:29500":                                                  "rendezvous-timeout",
		"下载数据集失败：连接超时":                                                            "dataset-download-failure",
		"[ERROR] 权限不足，无法写入 /data/out":                                             "permission-denied",
		"找不到文件 /data/train.json":                                                  "file-not-found",
		"训练失败":                                                                    "application-error",
		"エラー: GPUのメモリが不足しています":                                                    "cuda-out-of-memory",
		"ファイルが見つかりません: /data/a":                                                   "file-not-found",
		"오류: 메모리가 부족합니다":                                                          "oom-killed",
		"Ошибка: недостаточно памяти GPU":                                         "cuda-out-of-memory",
		"如果显存不足，请减小 batch size":                                                   "",
		"训练完成，显存占用 12 GB":                                                         "",
		"开始训练，第 1 轮":                                                              "",
		"FAILED tests/checkpoint_test.py::test_restore - a setting must be given": "",
		"ERROR | the settings were not composed: ['common.seed=1', 'common.fp16=True', 'distributed_backend=nccl']": "",
		"task 35e3 retries left: 0, oom retries left: 0, task failed due to oom: 0":                                 "",
		"No accelerator found. Please run on a TPU or GPU":                                                          "no-gpu-visible", // github.com/marin-community/marin/issues/2618
		"Error reported to Coordinator: /dbfs/run/checkpoint.tmpb972; Input/output error":                           "storage-hang",   // github.com/tensorflow/tensorflow/issues/20090
		"Error reported to Coordinator: the graph is finalized":                                                     "",
		"the accelerator of the loader is ready":                                                                    "",
		"step 100 loss 2.5 grad norm 1.0":                                                                           "",
		"rank 0 waits for the other ranks":                                                                          "",
		"NCCL INFO NET/IB : error counters are zero":                                                                "",
		"UserWarning: the GPU is not supported by this build":                                                       "",
		"HW Thermal Slowdown : Not Active":                                                                          "",
		"Sending process 12 closing signal SIGTERM":                                                                 "",
		// Names and other words that begin like one, what a shell and ps list, what the
		// description of a pod has by default.
		"Written by Richard M. Stallman and David MacKenzie.":                                    "",
		"The deadline of the gpu team is Monday":                                                 "",
		"the node has a foundation of its own, of memory and evictionary":                        "",
		"open files                          (-n) 1048576":                                       "",
		"open files                      (-n) 1024":                                              "",
		"max locked memory           (kbytes, -l) unlimited":                                     "",
		"-n: file descriptors                1048576":                                            "",
		"root          71  0.0  0.0      0     0 ?        S    Nov20   0:00 [oom_reaper]":        "",
		"root          12  0.0  0.0      0     0 ?        S    Nov20   0:01 [rcu_tasks_kthread]": "",
		"-n: file descriptors                1048576x":                                           "too-many-open-files",
		"Max open files            1024                 1048576              files":              "",
		"root          71     2  0 Nov20 ?        00:00:00 [oom_reaper]":                         "",
		"   71 root      20   0       0      0      0 S   0.0   0.0   0:00.00 oom_reaper":        "",
		"gpu0 of rank 3: hipError 2, hipblas is out of memory":                                   "cuda-out-of-memory",
		"the ncclcommwatchdog hangs":                                                             "nccl-timeout",
		"too few open files are allowed":                                                         "too-many-open-files",
		"cannot make the pipe: file descriptors are used up":                                     "too-many-open-files",
		"PodGC: the kubelet of node gpu-3 is unreachable":                                        "node-lost",
		"Tolerations:     node.kubernetes.io/unreachable:NoExecute op=Exists for 300s":           "",
		"                 node.kubernetes.io/unreachable:NoExecute op=Exists for 300s":           "",
		"                 node.kubernetes.io/not-ready:NoExecute op=Exists":                      "",
		"                 node.kubernetes.io/disk-pressure:NoSchedule op=Exists":                 "",
		"                 nvidia.com/gpu=present:NoSchedule op=Equal":                            "",
		"Writer stalled: [missing ranks: 3]":                                                     "horovod-stall",
		"FailedAttachVolume: the volume of another node is attached":                             "multi-attach",
		// strerror returns it for everything that is in use.
		"[Errno 16] Device or resource busy: '.nfs00000001a2b3c4'":            "",
		"cannot open the gpu: Device or resource busy":                        "gpu-in-use-by-other",
		"- {key: node.kubernetes.io/unreachable, operator: Exists}":           "",
		"array of errors: none of the arrays is broken":                       "",
		"something bad during container init: no more is known":               "",
		"request failed while awaiting headers":                               "",
		"Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.": "",
		"": "",
	} {
		cause, _, found := Hint(line)
		if cause != want || found != (want != "") {
			t.Errorf("%q: %q, want %q", line, cause, want)
		}
	}
}

func TestHintsGoByTheLevelInFront(t *testing.T) {
	for line, want := range map[string]train.Cause{
		// kaldi-asr/kaldi#4255, shortened
		"ERROR (nnet3-train[5.5]:cu-allocator.cc:519) Failed to allocate a memory region of 8088715264 bytes. Memory info: free:15426M CUDA error: 'out of memory'": "cuda-out-of-memory",
		"INFO: CUDA error: out of memory was counted 3 times":      "",
		"12:00:01 worker info: CUDA error: out of memory was seen": "",
		"[info] CUDA error: out of memory was seen":                "",
		// candle-org/MindAct#1761, shortened
		"[ERROR] PRE_ACT: TotalUsedMemStatistics : 29356337664 plus alloc size : 301990400 is more than total mem size : 29464985600.": "cuda-out-of-memory",
		"total mem size : 29464985600, more than the last node had":                                                                    "",
	} {
		if cause, _, _ := Hint(line); cause != want {
			t.Errorf("%s: got %q, want %q", line, cause, want)
		}
	}
}

func TestHintsLookAtTheBeginningOfALongLine(t *testing.T) {
	data := strings.Repeat("x ", 1<<20)
	if _, _, found := Hint(data + "raylet is dead"); found {
		t.Error("the end of a line of two megabytes was read")
	}
	if cause, _, _ := Hint("raylet is dead " + data); cause != "ray-worker-died" {
		t.Errorf("its beginning says %q", cause)
	}
}

// Every hint names a cause that rows name too, and none of its words is empty.
func TestHintsNameCauses(t *testing.T) {
	known := map[train.Cause]bool{"thermal-throttle": true, "power-cap": true, "pcie-degraded": true} // rules on numbers of GPUs find these
	for _, r := range rows() {
		known[r.cause] = true
	}
	for _, h := range readHints() {
		if !known[h.cause] {
			t.Errorf("%s is the cause of no row", h.cause)
		}
		for _, group := range h.all {
			for _, word := range group {
				if word = strings.TrimSuffix(word, "$"); len(word) < 2 || word != strings.ToLower(word) || strings.TrimSpace(word) != word {
					t.Errorf("%s: word %q", h.cause, word)
				}
			}
		}
	}
}

func BenchmarkHint(b *testing.B) {
	const line = `2026-11-20 10:00:00,123 ERROR worker.py:88 something went wrong while the trainer talked to its peer, attempt 3 of 5`
	b.ReportAllocs()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		Hint(line)
	}
}

// TestHintsOfProxies checks that a proxy of the network is no proxy of MPICH's launcher.
func TestHintsOfProxies(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"with url: /m/vocab.json (Caused by ProxyError('Cannot connect to": "dataset-download-failure",
		"exceeded with url: /m (Caused by SSLError('bad handshake'":        "dataset-download-failure",
		"[proxy:0:1@w] unable to reach its parent":                         "mpi-launcher-ssh-failure",
	} {
		if got, _, _ := Hint(line); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// TestHintsOfLibraries checks lines that name a library of the GPU, or a worker that Ray did
// not take, and no cause, beside messages of exceptions, which are read by themselves.
func TestHintsOfLibraries(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"Error: Curand error 203 - /src/tensors/rand.cpp:74: curandCreateGenerator":                                                      "cuda-unknown-error", // mozilla/translations#1015
		"Error invalid configuration argument at line 119 in file /src/csrc/ops.cu":                                                      "cuda-unknown-error", // axolotl-ai-cloud/axolotl#1527
		"Failed to register worker to Raylet: IOError: [RayletClient] Unable to register worker with raylet. End of file worker_id=0100": "ray-worker-died",    // verl-project/verl#3972
		"Curand is 10.3.5, cuDNN is 9.1": "",
		// kubernetes/kubernetes#30363, shortened: the place in the source names no image
		"E0810 00:56:45.127201    3477 docker_manager.go:2010] Failed to create pod infra container: operation timeout: context deadline exceeded": "sandbox-network",
		// Bartzi/see#23: chainer; kubernetes-sigs/kubespray#8451: where to read more is no cause
		"Exception in main training loop: out of memory to allocate 747110400 bytes (total 5722942464 bytes)": "cuda-out-of-memory",
		"the host is out of memory": "",
		"ERROR: Job failed (system failure): prepare environment: timed out waiting for pod to start. Check https://docs.gitlab.com/runner/shells/index.html#shell-profile-loading for more information": "",
		"CUDA error: out of memory":                  "cuda-out-of-memory",
		"raylet was told of worker 3, which is well": "",
	} {
		if got, _, _ := Hint(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if cause, found := HintOfException("Curand error 203 at rand.cpp:74", func(train.Cause) bool { return true }); found {
		t.Errorf("an exception's message gives %s", cause)
	}
}
