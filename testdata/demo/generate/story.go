package generate

import "time"

// story is the demo cluster: a company's morning on nineteen GPU nodes. Every
// job is in a state that people really meet, and no two are in the same.
func story() *cluster {
	c := &cluster{}
	c.machines()
	c.cluster()
	c.llm()
	c.research()
	c.vision()
	c.speech()
	c.ads()
	c.others()
	return c
}

const (
	torchImage = "registry.example.com/ml/torch-train:2.7.1-cuda12.8"
	llamaImage = "registry.example.com/ml/llama-train:v2.3.0"
	day3       = 3*days + 4*hours + 12*time.Minute
)

// asks is what a container asks for; GPUs are "nvidia.com/gpu".
func asks(cpu, memory, gpus string) map[string]string {
	all := map[string]string{"cpu": cpu, "memory": memory}
	if gpus != "" {
		all["nvidia.com/gpu"] = gpus
	}
	return all
}

func mig(cpu, memory, profile string) map[string]string {
	return map[string]string{"cpu": cpu, "memory": memory, "nvidia.com/mig-" + profile: "1"}
}

func (c *cluster) machines() {
	c.gpuNodes("gpu-h100", 11, node{
		model: "NVIDIA-H100-80GB-HBM3", machine: "h100x8", age: 61 * days,
		labels: map[string]string{"nvidia.com/gpu.count": "8", "nvidia.com/gpu.memory": "81559", "nvidia.com/gpu.family": "hopper"},
		offers: map[string]string{"cpu": "191", "memory": "1980Gi", "ephemeral-storage": "3500Gi", "pods": "110", "nvidia.com/gpu": "8"},
	})
	c.named("gpu-h100-11").cordoned = true // its driver is to be updated
	c.gpuNodes("gpu-a100", 7, node{
		model: "NVIDIA-A100-SXM4-80GB", machine: "a100x8", age: 214 * days,
		labels: map[string]string{"nvidia.com/gpu.count": "8", "nvidia.com/gpu.memory": "81920", "nvidia.com/gpu.family": "ampere"},
		offers: map[string]string{"cpu": "95", "memory": "1000Gi", "ephemeral-storage": "3500Gi", "pods": "110", "nvidia.com/gpu": "8"},
	})
	c.named("gpu-a100-05").lost = 4 * time.Minute // not yet long enough for its pods to be evicted
	c.node(node{
		name: "gpu-a100-mig-01", model: "NVIDIA-A100-SXM4-80GB", machine: "a100x8", zone: "eu-1b", age: 214 * days,
		labels: map[string]string{
			"nvidia.com/gpu.count": "0", "nvidia.com/mig.config": "all-balanced", "nvidia.com/mig.config.state": "success", "nvidia.com/mig.strategy": "mixed",
		},
		offers: map[string]string{"cpu": "95", "memory": "1000Gi", "ephemeral-storage": "3500Gi", "pods": "110", "nvidia.com/mig-1g.10gb": "14", "nvidia.com/mig-3g.40gb": "4"},
	})
	for _, name := range []string{"cpu-01", "cpu-02"} {
		c.node(node{
			name: name, machine: "c64", zone: "eu-1a", age: 214 * days,
			offers: map[string]string{"cpu": "63", "memory": "250Gi", "ephemeral-storage": "800Gi", "pods": "110"},
		})
	}
}

func (c *cluster) cluster() {
	for _, name := range []string{"ads", "eval", "hpc", "infra", "llm", "research", "rl", "serving", "speech", "students", "vision"} {
		m := meta("", name, 214*days)
		delete(m, "generation")
		m["labels"] = object{"kubernetes.io/metadata.name": name}
		c.add(object{"apiVersion": "v1", "kind": "Namespace", "metadata": m, "spec": object{"finalizers": []any{"kubernetes"}}, "status": object{"phase": "Active"}})
	}
	m := meta("", "shared-fast", 214*days)
	delete(m, "generation")
	m["annotations"] = object{"storageclass.kubernetes.io/is-default-class": "true"}
	c.add(object{
		"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": m, "provisioner": "lustre.csi.storage.example.com",
		"reclaimPolicy": "Retain", "volumeBindingMode": "Immediate", "allowVolumeExpansion": true,
	})
	c.claim("vision", "laion-400m", "40Ti", 90*days)
	c.torchRuntime(61 * days)
	c.volcanoQueue("default", 61*days)
	node := about{apiVersion: "v1", kind: "Node", name: "gpu-a100-05", uid: "gpu-a100-05"}
	c.event(node, "node-controller", "Normal", "NodeNotReady", "Node gpu-a100-05 status is now: NodeNotReady", 4*time.Minute, 4*time.Minute, 1)
}

// claim adds a bound volume claim.
func (c *cluster) claim(namespace, name, size string, age time.Duration) {
	m := meta(namespace, name, age)
	delete(m, "generation")
	m["finalizers"] = []any{"kubernetes.io/pvc-protection"}
	c.add(object{
		"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": m,
		"spec": object{
			"accessModes": []any{"ReadWriteMany"}, "resources": object{"requests": object{"storage": size}},
			"storageClassName": "shared-fast", "volumeMode": "Filesystem", "volumeName": "pvc-" + uid("PersistentVolumeClaim", namespace, name),
		},
		"status": object{"phase": "Bound", "accessModes": []any{"ReadWriteMany"}, "capacity": object{"storage": size}},
	})
}

// llm: the big run that has been going for days, a fine-tuning on the two
// nodes beside it, and what waits for them to end.
func (c *cluster) llm() {
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "llm", name: "llama-70b", field: "pytorchReplicaSpecs", container: "pytorch", image: llamaImage,
		command: []any{"torchrun", "pretrain.py", "--config", "llama-70b.yaml"}, asks: asks("120", "1600Gi", "8"), age: day3, running: day3 - 3*time.Minute,
		roles: []role{
			{name: "Master", restart: "OnFailure", wanted: 1, pods: on(day3-2*time.Minute, "gpu-h100-01")},
			{name: "Worker", restart: "OnFailure", wanted: 7, pods: on(day3-3*time.Minute, "gpu-h100-02", "gpu-h100-03", "gpu-h100-04", "gpu-h100-05", "gpu-h100-06", "gpu-h100-07", "gpu-h100-08")},
		},
	})
	c.trainJob(trainJob{
		namespace: "llm", name: "qwen3-sft", image: torchImage, command: []any{"torchrun", "finetune.py", "--model", "Qwen/Qwen3-32B"},
		asks: asks("96", "1200Gi", "8"), perNode: 8, pods: on(5*hours+38*time.Minute, "gpu-h100-09", "gpu-h100-10"), age: 5*hours + 41*time.Minute,
		progress: object{
			"progressPercentage": int64(64), "estimatedRemainingSeconds": int64(11340), "lastUpdatedTime": ago(20 * time.Second),
			"metrics": []any{object{"name": "loss", "value": "1.1874"}, object{"name": "learning_rate", "value": "7.6e-06"}},
		},
	})
	c.volcanoJob(volcanoJob{
		namespace: "llm", name: "dbrx-finetune", queue: "default", image: torchImage, command: []any{"torchrun", "finetune.py", "--model", "databricks/dbrx-base"},
		asks: asks("16", "128Gi", "8"), replicas: 4, gpus: 8, age: 37 * time.Minute,
	})
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "llm", name: "mixtral-dpo", field: "pytorchReplicaSpecs", container: "pytorch", image: "registry.example.com/ml/dpo:v0.9.1-rc2",
		command: []any{"torchrun", "dpo.py"}, asks: asks("16", "128Gi", "2"), age: 22 * time.Minute,
		roles: []role{
			{name: "Master", restart: "OnFailure", wanted: 1, pods: []placed{{node: "gpu-a100-04", state: state{word: cannotPull, since: 22 * time.Minute, message: noSuchImage}}}},
			{name: "Worker", restart: "OnFailure", wanted: 1, pods: []placed{{node: "gpu-a100-04", state: state{word: cannotPull, since: 22 * time.Minute, message: noSuchImage}}}},
		},
	})
}

// noSuchImage is containerd's answer for a tag that the registry does not have.
const noSuchImage = `rpc error: code = NotFound desc = failed to pull and unpack image "registry.example.com/ml/dpo:v0.9.1-rc2": failed to resolve reference "registry.example.com/ml/dpo:v0.9.1-rc2": registry.example.com/ml/dpo:v0.9.1-rc2: not found`

// research: eight A100s by quota, all in use, two jobs in line.
func (c *cluster) research() {
	names := []string{"whisper-large", "phi-4-dpo", "gemma-3-sft"}
	ages := []time.Duration{9*hours + 15*time.Minute, 71 * time.Minute, 48 * time.Minute}
	queue := kueueQueue{namespace: "research", local: "train", cluster: "research-cq", flavor: "a100", gpus: 8, age: 61 * days}
	for i, name := range names {
		job := kubeflowJob{
			kind: "PyTorchJob", namespace: "research", name: name, field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
			command: []any{"torchrun", "train.py", "--run", name}, asks: asks("32", "240Gi", "4"), age: ages[i], queue: "train", suspended: i > 0,
			roles: []role{{name: "Master", restart: "OnFailure", wanted: 1}, {name: "Worker", restart: "OnFailure", wanted: 1}},
		}
		switch i {
		case 0:
			job.running = ages[0] - time.Minute
			job.roles[0].pods, job.roles[1].pods = on(ages[0]-time.Minute, "gpu-a100-03"), on(ages[0]-time.Minute, "gpu-a100-03")
		case 2:
			job.roles = job.roles[:1]
		}
		own := c.kubeflow(job)
		container := (&pod{container: "pytorch", image: torchImage, command: job.command, asks: job.asks}).template()
		entry := kueueJob{owner: own, namespace: "research", age: ages[i], admitted: i == 0, sets: []podSet{{"master", 1, 4, container}}}
		if i < 2 {
			entry.sets = append(entry.sets, podSet{"worker", 1, 4, container})
		}
		queue.jobs = append(queue.jobs, entry)
	}
	c.kueue(queue)
}

func (c *cluster) vision() {
	// Out of memory again and again: 137 and OOMKilled, while the others wait for it.
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "vision", name: "clip-vit-l", field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
		command: []any{"torchrun", "train.py", "--workers", "48"}, asks: asks("12", "64Gi", "1"), age: 47 * time.Minute, running: 46 * time.Minute, claim: "laion-400m",
		roles: []role{
			{name: "Master", restart: "OnFailure", wanted: 1, pods: on(46*time.Minute, "gpu-a100-04")},
			{name: "Worker", restart: "OnFailure", wanted: 2, pods: []placed{
				{node: "gpu-a100-04", state: state{word: runs, since: 46 * time.Minute}},
				{node: "gpu-a100-04", state: state{word: crashes, since: 3 * time.Minute, exit: 137, reason: "OOMKilled", restarts: 7}},
			}},
		},
	})
	// Elastic, with four of five and two to six allowed: it goes on.
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "vision", name: "vit-elastic", field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
		command: []any{"torchrun", "train.py"}, asks: asks("12", "96Gi", "2"), age: 2*hours + 20*time.Minute, running: 2*hours + 19*time.Minute,
		elastic: object{"minReplicas": int64(2), "maxReplicas": int64(6), "maxRestarts": int64(10), "rdzvBackend": "c10d"},
		roles: []role{{name: "Worker", restart: "OnFailure", wanted: 5, pods: append(
			on(2*hours+19*time.Minute, "gpu-a100-07", "gpu-a100-07", "gpu-a100-07", "gpu-a100-07"), waiting(1)...)}},
	})
	// The master got its place before its node was cordoned; no node has four free for a worker.
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "vision", name: "sdxl-base", field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
		command: []any{"torchrun", "train_text_to_image.py"}, asks: asks("16", "128Gi", "4"), age: 58 * time.Minute, running: 54 * time.Minute,
		roles: []role{
			{name: "Master", restart: "OnFailure", wanted: 1, pods: on(54*time.Minute, "gpu-h100-11")},
			{name: "Worker", restart: "OnFailure", wanted: 2, pods: waiting(2)},
		},
	})
	c.kubeflow(kubeflowJob{
		kind: "TFJob", namespace: "vision", name: "yolo-v11", field: "tfReplicaSpecs", container: "tensorflow", image: "tensorflow/tensorflow:2.19.0-gpu",
		command: []any{"python", "train.py", "--data", "/data"}, asks: asks("8", "64Gi", "1"), age: 13 * time.Minute, missingClaim: "coco-2026",
		roles: []role{{name: "Worker", restart: "OnFailure", wanted: 2, pods: waiting(2)}},
	})
}

func (c *cluster) speech() {
	// Failed, and its other ranks still hold their GPUs: cleanPodPolicy None is the default.
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "speech", name: "hubert-xl", field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
		command: []any{"torchrun", "train.py"}, asks: asks("24", "200Gi", "2"), age: 51 * time.Minute, running: 50 * time.Minute,
		failed: "PyTorchJob hubert-xl is failed because 1 Worker replica(s) failed.", failedAt: 19 * time.Minute,
		roles: []role{
			{name: "Master", restart: "Never", wanted: 1, pods: on(50*time.Minute, "gpu-h100-11")},
			{name: "Worker", restart: "Never", wanted: 2, pods: []placed{
				{node: "gpu-h100-11", state: state{word: runs, since: 50 * time.Minute}},
				{node: "gpu-a100-06", state: state{word: ended, since: 19 * time.Minute, exit: 1, reason: "Error"}},
			}},
		},
	})
	// Restart policy ExitCode: the operator has replaced the pod that was killed.
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "speech", name: "wav2vec2-ctc", field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
		command: []any{"torchrun", "train.py"}, asks: asks("8", "64Gi", "1"), age: 3*hours + 5*time.Minute, running: 3 * hours,
		restarting: "PyTorchJob wav2vec2-ctc is restarting because 1 Worker replica(s) failed.", restartingAt: 35 * time.Second,
		roles: []role{
			{name: "Master", restart: "ExitCode", wanted: 1, pods: on(3*hours, "gpu-a100-06")},
			{name: "Worker", restart: "ExitCode", wanted: 1, pods: []placed{{node: "gpu-a100-06", age: 30 * time.Second, state: state{word: isCreated, since: 30 * time.Second}}}},
		},
	})
	// One of its nodes fell silent four minutes ago.
	c.kubeflow(kubeflowJob{
		kind: "JAXJob", namespace: "speech", name: "usm-jax", field: "jaxReplicaSpecs", container: "jax", image: "registry.example.com/ml/jax-train:0.7.2",
		command: []any{"python3", "train.py"}, asks: asks("24", "200Gi", "4"), age: 26*hours + 40*time.Minute, running: 26*hours + 37*time.Minute,
		roles: []role{{name: "Worker", restart: "OnFailure", wanted: 2, pods: []placed{
			{node: "gpu-a100-06", state: state{word: runs, since: 26*hours + 38*time.Minute}},
			{node: "gpu-a100-05", state: state{word: isLost, since: 4 * time.Minute}},
		}}},
	})
}

func (c *cluster) ads() {
	end := state{word: ended, since: 41 * time.Minute, exit: 0, reason: "Completed"}
	c.kubeflow(kubeflowJob{
		kind: "TFJob", namespace: "ads", name: "ctr-daily", field: "tfReplicaSpecs", container: "tensorflow", image: "tensorflow/tensorflow:2.19.0-gpu",
		command: []any{"python", "ctr.py", "--date", "2026-11-19"}, asks: asks("8", "64Gi", "1"), age: 4*hours + 10*time.Minute, running: 4*hours + 8*time.Minute, succeededAt: 40 * time.Minute,
		roles: []role{
			{name: "Chief", restart: "Never", wanted: 1, pods: []placed{{node: "gpu-a100-04", state: end}}},
			{name: "PS", restart: "Never", wanted: 1, asks: asks("8", "48Gi", ""), pods: on(4*hours+8*time.Minute, "cpu-02")},
			{name: "Worker", restart: "Never", wanted: 2, pods: []placed{{node: "gpu-a100-04", state: end}, {node: "gpu-a100-04", state: end}}},
		},
	})
	c.kubeflow(kubeflowJob{
		kind: "XGBoostJob", namespace: "ads", name: "churn-xgb", field: "xgbReplicaSpecs", container: "xgboost", image: "registry.example.com/ml/xgboost-dist:2.1",
		command: []any{"python", "churn.py", "--tree_method=hist"}, asks: asks("8", "32Gi", ""), age: 33 * time.Minute, running: 32 * time.Minute,
		roles: []role{
			{name: "Master", restart: "Never", wanted: 1, pods: on(32*time.Minute, "cpu-01")},
			{name: "Worker", restart: "ExitCode", wanted: 2, pods: on(32*time.Minute, "cpu-01", "cpu-02")},
		},
	})
}

func (c *cluster) others() {
	c.jobSet(jobSet{
		namespace: "rl", name: "grpo-math", group: "workers", container: "main", image: torchImage, command: []any{"torchrun", "grpo.py"},
		asks: asks("32", "400Gi", "4"), restart: "Never", pods: on(55*time.Minute, "gpu-a100-01", "gpu-a100-02"), age: 6*hours + 30*time.Minute,
		begun: 56 * time.Minute, restarts: 1, maxRestarts: 3, lastFailure: "applying RestartJobSet failure policy action (first failed job: grpo-math-workers-0)",
	})
	c.mpiJob(mpiJob{
		namespace: "hpc", name: "resnet-allreduce", image: "mpioperator/tensorflow-benchmarks:latest", slots: 4,
		command: []any{"mpirun", "-n", "8", "python", "tf_cnn_benchmarks.py", "--model=resnet101"}, asks: asks("16", "128Gi", "4"), launcherAsks: asks("1", "2Gi", ""),
		launcher: on(100*time.Minute, "cpu-01")[0], workers: on(101*time.Minute, "gpu-a100-01", "gpu-a100-02"), age: 102 * time.Minute,
	})
	c.rayJob(rayJob{
		namespace: "rl", name: "ppo-humanoid", group: "gpu-group", entrypoint: "python train_ppo.py --env Humanoid-v5", gpus: 4,
		headAsks: asks("8", "32Gi", ""), asks: asks("16", "128Gi", "4"), head: on(28*time.Minute, "cpu-02")[0], workers: waiting(2), age: 29 * time.Minute,
	})
	c.batchJob(batchJob{
		namespace: "eval", name: "mmlu-shards", container: "eval", image: torchImage, command: []any{"python", "eval.py", "--suite", "mmlu"},
		asks: asks("8", "64Gi", "1"), restart: "Never", indexed: true, completions: 4, age: 3*hours + 50*time.Minute, suspended: true,
	})
	c.batchJob(batchJob{
		namespace: "eval", name: "hpo-sweep", container: "trial", image: torchImage, command: []any{"python", "trial.py"},
		asks: mig("4", "16Gi", "1g.10gb"), restart: "Never", indexed: true, completions: 6, age: 2*hours + 2*time.Minute, pods: append(
			[]placed{
				{node: "gpu-a100-mig-01", state: state{word: ended, since: 62 * time.Minute, reason: "Completed"}},
				{node: "gpu-a100-mig-01", state: state{word: ended, since: 18 * time.Minute, reason: "Completed"}},
			}, on(2*hours, "gpu-a100-mig-01", "gpu-a100-mig-01", "gpu-a100-mig-01", "gpu-a100-mig-01")...),
	})
	c.leaderWorkerSet(leaderWorkerSet{
		namespace: "serving", name: "vllm-judge", image: "vllm/vllm-openai:v0.11.0", command: []any{"sh", "-c", "bash /vllm-workspace/examples/online_serving/multi-node-serving.sh"},
		asks: mig("8", "64Gi", "3g.40gb"), pods: on(11*days, "gpu-a100-mig-01", "gpu-a100-mig-01"), age: 11*days + 4*time.Minute,
	})
	c.students()
	backup := owner{"batch/v1", "CronJob", "etcd-backup", uid("CronJob", "infra", "etcd-backup")}
	c.batchJob(batchJob{
		namespace: "infra", name: "etcd-backup-29919420", owner: &backup, container: "backup", image: "registry.example.com/infra/etcd-backup:1.4",
		command: []any{"/backup.sh"}, asks: asks("500m", "512Mi", ""), restart: "OnFailure", completions: 1, age: time.Hour, completed: 58 * time.Minute,
		pods: []placed{{node: "cpu-01", state: state{word: ended, since: 58 * time.Minute, reason: "Completed"}}},
	})
}

// students have two GPUs by quota and asked for four.
func (c *cluster) students() {
	quota := meta("students", "gpu-quota", 214*days)
	delete(quota, "generation")
	hard := object{"pods": "20", "requests.nvidia.com/gpu": "2"}
	c.add(object{
		"apiVersion": "v1", "kind": "ResourceQuota", "metadata": quota, "spec": object{"hard": hard},
		"status": object{"hard": hard, "used": object{"pods": "2", "requests.nvidia.com/gpu": "2"}},
	})
	c.kubeflow(kubeflowJob{
		kind: "PyTorchJob", namespace: "students", name: "mnist-big", field: "pytorchReplicaSpecs", container: "pytorch", image: torchImage,
		command: []any{"torchrun", "mnist.py"}, asks: asks("4", "16Gi", "1"), age: 16 * time.Minute, silent: true,
		refused: `Error creating: pods "mnist-big-worker-1" is forbidden: exceeded quota: gpu-quota, requested: requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=2, limited: requests.nvidia.com/gpu=2`,
		roles: []role{
			{name: "Master", restart: "OnFailure", wanted: 1, pods: on(15*time.Minute, "gpu-a100-06")},
			{name: "Worker", restart: "OnFailure", wanted: 3, pods: on(15*time.Minute, "gpu-a100-06")},
		},
	})
}
