package main

import (
	"time"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/e2e/training"
)

// Events of jobs of the story while they run.
const (
	gpuSlows   = "a GPU of mixtral-8x7b gets too hot"
	lossBreaks = "the loss of tts-vits is no number any more"
)

const registry = "registry.example.com/"

// kindOf is one of operator.Kinds.
func kindOf(group, name string) operator.Kind {
	for _, kind := range operator.Kinds() {
		if kind.Group == group && kind.Kind == name {
			return kind
		}
	}
	panic("operator plays no " + group + "/" + name) // the names are below
}

// Jobs that were there before the beginning.
var (
	// notebook holds two nodes and does nothing.
	notebook = &job{
		namespace: "research", name: "notebook-ana", kind: kindOf("batch", "Job"), gpus: 8, pool: largePool, load: idles,
		image: registry + "jupyter:2026-10", command: "jupyter lab --no-browser",
		voice: voice{every: time.Hour, stride: 1, first: []string{"ServerApp: Jupyter Server 2.14.2 is running at:", "ServerApp: http://localhost:8888/lab"}, say: alone(func(*stage, *training.Log, int) {})},
	}
	llama = &job{
		namespace: "foundation", name: "llama-70b", kind: operator.PyTorchJob(3), gpus: 8, pool: largePool,
		image: registry + "torchtitan:0.2.1", command: "torchrun --nproc-per-node 8 -m torchtitan.train --config llama-70b.toml",
		voice: voice{every: 3 * time.Second, from: 400, stride: 2, world: 32, first: []string{"[titan] Loading checkpoint at step 400 from /checkpoints/llama-70b/step-400"}, say: sayLlama},
	}
	mixtral = &job{
		namespace: "foundation", name: "mixtral-8x7b", kind: operator.PyTorchJob(1), gpus: 8, pool: largePool, load: hasSlow,
		image: registry + "megatron:core-0.12", command: "torchrun --nproc-per-node 8 pretrain_gpt.py --num-experts 8",
		voice: voice{every: 4 * time.Second, stride: 2, world: 16, say: sayMixtral},
	}
	conformer = &job{
		namespace: "speech", name: "conformer-asr", kind: operator.PyTorchJob(7), gpus: 1, pool: smallPool,
		image: registry + "speech:1.14", command: "torchrun --nproc-per-node 1 train.py --config conformer.yaml",
		// evicted twenty seconds after its node is lost, not five minutes
		pod: map[string]any{"tolerations": []any{
			map[string]any{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(20)},
			map[string]any{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(20)},
		}},
		voice: voice{every: 2 * time.Second, stride: 5, world: 8, say: alone(sayByHand(20000, 9.1, 0.9))},
	}
	vit = &job{
		namespace: "vision", name: "vit-large", kind: kindOf("jobset.x-k8s.io", "JobSet"), gpus: 1, pool: smallPool,
		image: registry + "vision:3.2", command: "torchrun --nproc-per-node 1 train.py --model vit_large_patch16",
		voice: voice{every: 1500 * time.Millisecond, stride: 3, world: 4, say: alone(sayVit)},
	}
	clip = &job{
		namespace: "vision", name: "clip-b32", kind: operator.PyTorchJob(3), gpus: 1, pool: smallPool,
		image: registry + "vision:3.2", command: "torchrun --nproc-per-node 1 train_clip.py --batch-size 96",
		voice: voice{every: 2 * time.Second, stride: 5, world: 4, say: alone(sayHuggingFace(5e-4, 800, func(_ *stage, step int) float64 { return curve(step, 5.1, 1.3, 90, 0.02) }))},
	}
	tts = &job{
		namespace: "speech", name: "tts-vits", kind: operator.PyTorchJob(1), gpus: 1, pool: smallPool,
		image: registry + "speech:1.14", command: "torchrun --nproc-per-node 1 train_tts.py --fp16",
		voice: voice{every: 2 * time.Second, stride: 5, world: 2, say: alone(sayHuggingFace(2e-4, 1200, lossOfTTS))},
	}
	sweep = &job{
		namespace: "research", name: "lr-sweep", kind: kindOf("batch", "Job"), gpus: 2, pool: smallPool, queue: queueName,
		image: registry + "research:7", command: "python sweep.py",
		voice: voice{every: 4 * time.Second, stride: 10, world: 1, say: func(s *stage, l *training.Log, _, step int) { sayByHand(1400, 3.2, 0.8)(s, l, step) }},
	}
	reward = &job{
		namespace: "research", name: "reward-model", kind: operator.PyTorchJob(1), gpus: 1, pool: smallPool, queue: queueName,
		image: registry + "research:7", command: "torchrun --nproc-per-node 1 train_reward.py",
		voice: voice{every: 2 * time.Second, stride: 4, world: 2, say: alone(sayHuggingFace(1e-5, 700, func(_ *stage, step int) float64 { return curve(step, 0.71, 0.24, 60, 0.004) }))},
	}
	dpo = &job{
		namespace: "research", name: "dpo-mistral", kind: operator.PyTorchJob(2), gpus: 1, pool: smallPool, queue: queueName,
		image: registry + "research:7", command: "torchrun --nproc-per-node 1 train_dpo.py",
		voice: voice{every: 2 * time.Second, stride: 4, world: 3, say: alone(sayHuggingFace(5e-7, 500, func(_ *stage, step int) float64 { return curve(step, 0.693, 0.31, 80, 0.004) }))},
	}
)

// Jobs that are created later.
var (
	// gang needs two whole nodes, which the notebook holds.
	gang = &job{
		namespace: "foundation", name: "llama-405b-sft", waits: true, kind: operator.PyTorchJob(1), gpus: 8, pool: largePool,
		image: registry + "torchtitan:0.2.1", command: "torchrun --nproc-per-node 8 -m torchtitan.train --config llama-405b-sft.toml",
		voice: voice{every: 2 * time.Second, stride: 1, world: 16, say: sayLlama},
	}
	detr = &job{
		namespace: "vision", name: "detr-r50", waits: true, kind: operator.PyTorchJob(1), gpus: 1, pool: smallPool,
		image: registry + "vision:3.2", command: "torchrun --nproc-per-node 1 train_detr.py",
		container:   map[string]any{"envFrom": []any{map[string]any{"configMapRef": map[string]any{"name": "detr-hyperparameters"}}}},
		annotations: map[string]string{"e2e/waiting": "CreateContainerConfigError", "e2e/message": `configmap "detr-hyperparameters" not found`},
		voice:       voice{every: 2 * time.Second, stride: 5, world: 2, say: alone(sayByHand(60000, 38, 4.5))},
	}
	whisper = &job{
		namespace: "speech", name: "whisper-ft", waits: true, kind: operator.PyTorchJob(1), gpus: 1, pool: smallPool,
		image: registry + "speech:1.41", command: "torchrun --nproc-per-node 1 finetune_whisper.py",
		annotations: map[string]string{"e2e/waiting": "ImagePullBackOff", "e2e/message": pullFails},
		voice:       voice{every: 2 * time.Second, stride: 5, world: 2, say: alone(sayHuggingFace(1e-5, 900, func(_ *stage, step int) float64 { return curve(step, 2.3, 0.35, 60, 0.01) }))},
	}
)

// pullFails is the message of a kubelet 1.36 for a tag that containerd does not
// find.
const pullFails = `Back-off pulling image "` + registry + `speech:1.41": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "` + registry + `speech:1.41": failed to resolve reference "` + registry + `speech:1.41": ` + registry + `speech:1.41: not found`

// again is a changed copy of a job: with another name, checkpoint and image.
func again(j *job, name, image string, from int, resumes string) *job {
	next := *j
	next.name, next.image, next.annotations, next.waits, next.voice.from = name, image, nil, false, from
	if resumes != "" {
		next.voice.first = []string{resumes}
	}
	return &next
}
