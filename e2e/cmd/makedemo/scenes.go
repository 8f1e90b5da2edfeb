package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/traintop/traintop/demo"
	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/training"
)

// scene is an event of the story at an instant, with its chapter.
type scene struct {
	at   time.Duration // since the recording began
	does func(ctx context.Context, s *stage) error
	// tells is the chapter that begins, none when Text is empty.
	tells demo.Chapter
}

// chapter is a chapter and when it began.
type chapter struct {
	at      time.Time
	chapter demo.Chapter
}

// scenes are the story. Rules need to see a fault for some time before they
// report it, so the diagnosis finds a chapter's cause by the end of it.
func scenes() []scene {
	clipAgain := again(clip, "clip-b32-bs48", registry+"vision:3.2", 600, "Resuming from checkpoint at step 600")
	return []scene{
		{at: 0, tells: demo.Chapter{Text: "A dozen jobs on twelve GPU nodes. llama-70b is well: its loss falls.", Keys: "C on llama-70b", Job: llama.path()}},
		{at: minute(0, 50), does: submits(gang),
			tells: demo.Chapter{Text: "llama-405b-sft waits for two nodes that the idle notebook-ana holds.", Keys: "D on llama-405b-sft", Job: gang.path(), Cause: "insufficient-gpu"}},
		{at: minute(2, 10), does: submits(detr),
			tells: demo.Chapter{Text: "detr-r50 is submitted, and the ConfigMap that it needs is not there.", Keys: "D on detr-r50", Job: detr.path(), Cause: "configmap-not-found"}},
		{at: minute(3, 0), does: submits(whisper),
			tells: demo.Chapter{Text: "whisper-ft names an image tag that its registry does not have.", Keys: "D on whisper-ft", Job: whisper.path(), Cause: "image-not-found"}},
		{at: minute(3, 50), does: func(_ context.Context, s *stage) error { s.mark(gpuSlows); return nil },
			tells: demo.Chapter{Text: "One of the sixteen GPUs of mixtral-8x7b is too hot and slows them all.", Keys: "enter on mixtral-8x7b, v for all GPUs, D for why", Job: mixtral.path(), Cause: "slow-gpu"}},
		{at: minute(5, 20), does: runsOutOfMemory,
			tells: demo.Chapter{Text: "Rank 2 of clip-b32 is out of GPU memory; the others fail with NCCL errors.", Keys: "D on clip-b32", Job: clip.path(), Cause: "cuda-out-of-memory"}},
		{at: minute(6, 20), does: sweepEnds,
			tells: demo.Chapter{Text: "The queue moves: lr-sweep is done, reward-model gets its GPUs.", Keys: ":queues", Job: dpo.path(), Cause: "kueue-not-admitted"}},
		{at: minute(7, 20), does: func(_ context.Context, s *stage) error { s.mark(lossBreaks); return nil },
			tells: demo.Chapter{Text: "The loss of tts-vits leaps, and then it is no number any more.", Keys: "C on tts-vits", Job: tts.path(), Cause: "nan-loss"}},
		{at: minute(8, 20), does: submits(clipAgain),
			tells: demo.Chapter{Text: "clip-b32-bs48 goes on from the checkpoint, with a smaller batch.", Keys: "l on clip-b32-bs48", Job: clipAgain.path()}},
		{at: minute(8, 45), does: configMapIsMade},
		{at: minute(9, 0), does: imageIsCorrected},
		{at: minute(9, 30), does: nodeIsLost,
			tells: demo.Chapter{Text: "Node gpu-11 stops answering, and with it all ranks of conformer-asr.", Keys: "D on conformer-asr, :nodes", Job: conformer.path(), Cause: "node-not-ready"}},
		{at: minute(10, 35), does: func(ctx context.Context, s *stage) error { return s.remove(ctx, tts) }},
		{at: minute(10, 50), does: resumes(again(conformer, conformer.name, conformer.image, 1500, "Resuming from checkpoint at step 1500")),
			tells: demo.Chapter{Text: "conformer-asr goes on from its checkpoint on other nodes.", Keys: "C on conformer-asr", Job: conformer.path()}},
		{at: minute(11, 50), does: rewardEnds,
			tells: demo.Chapter{Text: "reward-model is done, and dpo-mistral leaves the queue.", Keys: ":queues", Job: dpo.path()}},
		{at: minute(13, 15),
			tells: demo.Chapter{Text: "notebook-ana has held sixteen GPUs for a quarter of an hour, all idle.", Keys: "D on notebook-ana, or :gpus", Job: notebook.path(), Cause: "low-gpu-utilisation"}},
		{at: minute(14, 0), does: notebookEnds,
			tells: demo.Chapter{Text: "notebook-ana is deleted, and llama-405b-sft starts at last.", Keys: "enter on llama-405b-sft", Job: gang.path()}},
		{at: minute(14, 20), does: nodeComesBack},
		{at: minute(14, 45)},
	}
}

func minute(m, s int) time.Duration {
	return time.Duration(m)*time.Minute + time.Duration(s)*time.Second
}

// play runs the scenes, each at its time, and returns the chapters. The story
// continues where a scene fails, so that one run shows all failures.
func (s *stage) play(ctx context.Context, scenes []scene, hurry time.Duration) (all []chapter, failed error) {
	began := time.Now()
	for i := range scenes {
		scene := &scenes[i]
		if !sleep(ctx, time.Until(began.Add(scene.at/hurry))) {
			return all, ctx.Err()
		}
		if scene.tells.Text != "" {
			say(scene.tells.Text)
			all = append(all, chapter{time.Now(), scene.tells})
		}
		if scene.does == nil {
			continue
		}
		if err := scene.does(ctx, s); err != nil {
			say(err.Error())
			failed = errors.Join(failed, fmt.Errorf("at %s of the story: %w", scene.at, err))
		}
	}
	return all, failed
}

func submits(j *job) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error { return s.submit(ctx, j) }
}

// runsOutOfMemory ends rank 2 of clip-b32, then those that wait for it.
func runsOutOfMemory(ctx context.Context, s *stage) error {
	const dies, prefix = "clip-b32-worker-1", "[rank2]: "
	if err := s.dies(ctx, clip, dies, training.OutOfMemory(prefix)); err != nil {
		return err
	}
	sleep(ctx, 2*time.Second)
	for _, pod := range s.podsOf(clip) {
		name := pod[len(clip.namespace)+1:]
		if err := s.dies(ctx, clip, name, losesPeer(name)); err != nil {
			return err
		}
	}
	sleep(ctx, 3*time.Second)
	return s.fail(ctx, clip)
}

// dies makes a pod print its last lines and end with exit code 1.
func (s *stage) dies(ctx context.Context, j *job, pod string, words []string) error {
	s.hush(j.namespace + "/" + pod).Print(words...)
	sleep(ctx, 1500*time.Millisecond) // they are followed, and read first
	return s.plays(j).Annotate(ctx, pod, "e2e/exit", "1")
}

// losesPeer is what a rank prints whose peer has gone (PyTorch 2.8, NCCL 2.27).
func losesPeer(pod string) []string {
	return []string{
		pod + ":41:210 [0] NCCL WARN socketProgress: Connection closed by remote peer clip-b32-worker-1.vision.svc.cluster.local<43210>",
		"Traceback (most recent call last):",
		`  File "/workspace/train_clip.py", line 231, in <module>`,
		"    loss.backward()",
		"torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3690, remote process exited or there was a network error, NCCL version 2.27.3",
		"ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.",
	}
}

// sweepEnds frees the quota that reward-model waits for.
func sweepEnds(ctx context.Context, s *stage) error {
	if err := s.succeed(ctx, sweep); err != nil {
		return err
	}
	return errors.Join(s.workload(ctx, sweep, finished), s.admit(ctx, reward), s.workload(ctx, dpo, waiting(1)), s.queue(ctx, 1, 1, 2))
}

// rewardEnds frees the quota that dpo-mistral waits for.
func rewardEnds(ctx context.Context, s *stage) error {
	if err := s.succeed(ctx, reward); err != nil {
		return err
	}
	return errors.Join(s.workload(ctx, reward, finished), s.admit(ctx, dpo), s.queue(ctx, 0, 1, 3))
}

// admit lets a queued job run.
func (s *stage) admit(ctx context.Context, j *job) error {
	return errors.Join(s.workload(ctx, j, admitted), s.submit(ctx, j))
}

// configMapIsMade creates the ConfigMap that detr-r50 waits for; the kubelet
// then starts its containers, which is played by creating the pods again.
func configMapIsMade(ctx context.Context, s *stage) error {
	if err := s.apply(ctx, "{apiVersion: v1, kind: ConfigMap, metadata: {name: detr-hyperparameters, namespace: vision}, data: {LR: '1e-4'}}"); err != nil {
		return err
	}
	return resumes(again(detr, detr.name, detr.image, 0, ""))(ctx, s)
}

// imageIsCorrected submits whisper-ft with a tag that exists.
func imageIsCorrected(ctx context.Context, s *stage) error {
	if err := s.remove(ctx, whisper); err != nil {
		return err
	}
	if err := s.gone(ctx, whisper); err != nil {
		return err
	}
	return s.submit(ctx, again(whisper, whisper.name, registry+"speech:1.14", 0, ""))
}

// resumes creates the pods of an existing job again. kwok finds a log by the name
// of its pod: the logs of the old pods are taken away, or they would be followed as
// those of the new ones.
func resumes(j *job) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		life, err := j.life()
		if err != nil {
			return err
		}
		for _, made := range life.Below {
			old := pod(j, made)
			if err := errors.Join(s.cluster.Delete(ctx, old), s.cluster.Delete(ctx, training.LogsOf(old))); err != nil {
				return err
			}
		}
		if err := s.gone(ctx, j); err != nil {
			return err
		}
		return s.submit(ctx, j)
	}
}

// nodeIsLost writes what the node lifecycle controller (1.36) writes about a
// node without a heartbeat, since kwok's have none; taints, evictions and their
// events come from the real controllers.
func nodeIsLost(ctx context.Context, s *stage) error {
	for _, name := range s.podsOf(conformer) {
		s.hush(name)
	}
	s.exporters[lostNode].Stop()
	now := time.Now().UTC().Format(time.RFC3339)
	err := s.apply(ctx, fmt.Sprintf(`
apiVersion: v1
kind: Node
metadata: {name: %s, labels: {pool: %s}, annotations: {%s: "true"}}
status: {conditions: [{type: Ready, status: Unknown, reason: NodeStatusUnknown, message: Kubelet stopped posting node status., lastHeartbeatTime: %q, lastTransitionTime: %[4]q}]}
`, lostNode, smallPool, controlplane.NotReadyAnnotation, now))
	if err != nil {
		return err
	}
	if err := s.unready(ctx, conformer); err != nil {
		return err
	}
	return s.restarts(ctx, conformer)
}

// nodeComesBack gives the node back to kwok, which makes it ready.
func nodeComesBack(ctx context.Context, s *stage) error {
	if err := s.apply(ctx, fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {pool: %s}}}", lostNode, smallPool)); err != nil {
		return err
	}
	return s.exporters[lostNode].Resume()
}

// notebookEnds frees the nodes that llama-405b-sft waits for.
func notebookEnds(ctx context.Context, s *stage) error {
	if err := s.remove(ctx, notebook); err != nil {
		return err
	}
	return s.starts(ctx, gang)
}
