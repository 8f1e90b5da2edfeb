package generate

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"time"
)

// logs are the files of the pods' logs, by name: what a collector leaves of
// /var/log/pods, packed. The formats are those of the programs that the jobs
// run, as reference runs of them print them.
func (c *cluster) logs() map[string][]byte {
	files := map[string][]byte{}
	keep := func(namespace, pod, suffix string, l *podLog) {
		name := fmt.Sprintf("logs/%s/%s%s.log.gz", namespace, c.podCalled(namespace, pod), suffix)
		files[name] = packed(l.text.Bytes())
	}
	keep("llm", "llama-70b-master-0", "", titan())
	for i := range 7 {
		keep("llm", fmt.Sprintf("llama-70b-worker-%d", i), "", titanWorker(i))
	}
	keep("llm", "qwen3-sft-node-0-0-", "", huggingFace())
	keep("llm", "qwen3-sft-node-0-1-", "", huggingFaceOther())
	keep("research", "whisper-large-master-0", "", megatronFirst())
	keep("research", "whisper-large-worker-0", "", megatronLast())
	keep("vision", "clip-vit-l-master-0", "", clipRank(0))
	keep("vision", "clip-vit-l-worker-0", "", clipRank(1))
	keep("vision", "clip-vit-l-worker-1", "", clipKilled(4*time.Minute+35*time.Second))
	keep("vision", "clip-vit-l-worker-1", "-previous", clipKilled(11*time.Minute+20*time.Second))
	for i := range 4 {
		keep("vision", fmt.Sprintf("vit-elastic-worker-%d", i), "", elastic(i))
	}
	keep("vision", "sdxl-base-master-0", "", rendezvous("sdxl-base", 54*time.Minute, 1, 3))
	keep("students", "mnist-big-master-0", "", rendezvous("mnist-big", 15*time.Minute, 2, 4))
	keep("students", "mnist-big-worker-0", "", rendezvous("mnist-big", 15*time.Minute, 2, 4))
	keep("speech", "hubert-xl-master-0", "", fairseq(0))
	keep("speech", "hubert-xl-worker-0", "", fairseq(1))
	keep("speech", "hubert-xl-worker-1", "", fairseq(2))
	keep("speech", "wav2vec2-ctc-master-0", "", fairseqRestarting())
	keep("speech", "usm-jax-worker-0", "", maxText(0))
	keep("speech", "usm-jax-worker-1", "", maxText(1))
	keep("ads", "ctr-daily-chief-0", "", keras(0))
	keep("ads", "ctr-daily-worker-0", "", keras(1))
	keep("ads", "ctr-daily-worker-1", "", keras(2))
	keep("ads", "churn-xgb-master-0", "", xgboost())
	keep("rl", "grpo-math-workers-0-0-", "", grpo())
	keep("hpc", "resnet-allreduce-launcher-", "", horovod())
	for i := range 6 {
		keep("eval", fmt.Sprintf("hpo-sweep-%d-", i), "", trial(i))
	}
	return files
}

// podCalled is the whole name of a pod. One that is not in the story is a
// programmer's error.
func (c *cluster) podCalled(namespace, name string) string {
	for _, p := range c.pods {
		if p.namespace == namespace && (p.name == name || strings.HasSuffix(name, "-") && strings.HasPrefix(p.name, name)) {
			return p.name
		}
	}
	panic("no pod " + namespace + "/" + name)
}

func packed(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err)
	}
	if _, err := w.Write(text); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
