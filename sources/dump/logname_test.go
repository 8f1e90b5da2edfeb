package dump

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
)

func podWith(namespace, name string, restarts int32, containers ...string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: "uid-" + "1"}}
	for _, c := range containers {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: c})
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: c, RestartCount: restarts})
	}
	return p
}

func knownPods() pods {
	known := pods{}
	for _, p := range []*corev1.Pod{
		podWith("ml", "bert-worker-0", 2, "pytorch", "istio-proxy"),
		podWith("ml", "bert-worker-1", 0, "pytorch"),
		podWith("ml", "bert", 0, "main"),
		podWith("lab", "bert-worker-0", 0, "pytorch"),
	} {
		known.add(podOf(p))
	}
	return known
}

func TestWhoseLogAFileIs(t *testing.T) {
	const uid = "0b6fd30c-43f5-4d3c-9d5c-7a2d2f9c0001"
	const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	known := knownPods()
	for path, want := range map[string]train.StreamID{
		"/var/log/pods/ml_x-0_" + uid + "/pytorch/3.log":                          {Namespace: "ml", Pod: "x-0", UID: uid, Container: "pytorch", Restart: 3},
		"node7/pods/ml_x.y-0_" + uid + "/pytorch/0.log.20261120-085000.gz":        {Namespace: "ml", Pod: "x.y-0", UID: uid, Container: "pytorch"},
		"/var/log/pods/kube-system_etcd_00112233445566778899aabbccddeeff/e/1.log": {Namespace: "kube-system", Pod: "etcd", UID: "00112233445566778899aabbccddeeff", Container: "e", Restart: 1},
		"/var/log/containers/bert-worker-1_ml_pytorch-" + hash + ".log":           {Namespace: "ml", Pod: "bert-worker-1", UID: "uid-1", Container: "pytorch"},
		"dump/bert-worker-1.log":                                             {Namespace: "ml", Pod: "bert-worker-1", UID: "uid-1"},
		"dump/lab/bert-worker-0.txt":                                         {Namespace: "lab", Pod: "bert-worker-0", UID: "uid-1"},
		"dump/ml/bert-worker-0.log.gz":                                       {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Restart: 2},
		"ml_bert-worker-0_istio-proxy.log":                                   {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Container: "istio-proxy", Restart: 2},
		"bert-worker-1_pytorch.log":                                          {Namespace: "ml", Pod: "bert-worker-1", UID: "uid-1", Container: "pytorch"},
		"bert-worker-1-pytorch.log":                                          {Namespace: "ml", Pod: "bert-worker-1", UID: "uid-1", Container: "pytorch"},
		"ml/bert-worker-0-previous.log":                                      {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Restart: 1},
		"ml/bert-worker-0.previous.log":                                      {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Restart: 1},
		"ml/bert-worker-0.pytorch.prev.txt":                                  {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Container: "pytorch", Restart: 1},
		"namespaces/ml/pods/bert-worker-0/pytorch/pytorch/logs/previous.log": {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Container: "pytorch", Restart: 1},
		"namespaces/lab/pods/bert-worker-0/pytorch/pytorch/logs/current.log": {Namespace: "lab", Pod: "bert-worker-0", UID: "uid-1", Container: "pytorch"},
		"pod-bert-worker-1.txt":                                              {Namespace: "ml", Pod: "bert-worker-1", UID: "uid-1"},
		"ml-bert-worker-1-1732693200123456789.log":                           {Namespace: "ml", Pod: "bert-worker-1", UID: "uid-1"},
		"lab-bert-worker-0-2026-11-20T08:50:00Z.log":                         {Namespace: "lab", Pod: "bert-worker-0", UID: "uid-1"},
		"logs/ml_bert-worker-0/istio-proxy.log":                              {Namespace: "ml", Pod: "bert-worker-0", UID: "uid-1", Container: "istio-proxy", Restart: 2},
		"bert-worker-1-0.log":                                                {},
		"my-bert-worker-1.log":                                               {},
		"bert-worker-1-notes-of-monday.log":                                  {},
		"logs-of-lab/bert-worker-0.log":                                      {Namespace: "lab", Pod: "bert-worker-0", UID: "uid-1"},
		"dump/bert-worker-0.log":                                             {},
		"bert-worker-0_istio-proxy.log":                                      {},
		"bert.log":                                                           {Namespace: "ml", Pod: "bert", UID: "uid-1"},
		"bert-large.log":                                                     {},
		"bert-worker-2.log":                                                  {},
		"train.log":                                                          {},
		"my_run_1/output.log":                                                {},
		"ml/readme.txt":                                                      {},
		"weird/.log":                                                         {},
		"a_b_c/pytorch/0.log":                                                {},
	} {
		want.File = path
		if got, _ := streamOf(path, known); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", path, got, want)
		}
	}
}

func TestRanksOfFiles(t *testing.T) {
	type f struct {
		path string
		rank int
		job  string
	}
	for name, files := range map[string][]f{
		"a single log":      {{"train.log", -1, ""}},
		"rank words":        {{"logs/rank3.log", 3, "logs/rank*.log"}, {"logs/rank0.log", 0, "logs/rank*.log"}},
		"rank_N":            {{"out/log_rank_12.txt", 12, "out/log_rank_*.txt"}},
		"global rank":       {{"host1-global_rank-5.err", 5, "host1-global_rank-*.err"}},
		"worker":            {{"worker-3.log", 3, "*.log"}},
		"a number alone":    {{"logs/hf-trainer-1-bar.log", -1, ""}},
		"all numbers":       {{"process0.log", 0, "process*.log"}, {"process1.log", 1, "process*.log"}},
		"master first":      {{"bert-master-0.log", 0, "bert-*.log"}, {"bert-worker-0.log", 1, "bert-*.log"}, {"bert-worker-1.log", 2, "bert-*.log"}},
		"torchrun":          {{"/tmp/r/none_ab/attempt_0/3/stdout.log", 3, "/tmp/r/none_ab"}, {"/tmp/r/none_ab/attempt_0/0/stderr.log", 0, "/tmp/r/none_ab"}},
		"rank in a folder":  {{"run/rank_1/train.log", 1, "run/rank_*/train.log"}},
		"bare numbers":      {{"l/0.log", 0, "l/*.log"}, {"l/1.log", 1, "l/*.log"}, {"l/2.log", 2, "l/*.log"}},
		"numbered nodes":    {{"gpu-0.log", 0, "gpu-*.log"}, {"gpu-1.log", 1, "gpu-*.log"}},
		"one number":        {{"llama-3.log", -1, ""}},
		"a gap":             {{"x-0.log", -1, ""}, {"x-2.log", -1, ""}},
		"runs, not ranks":   {{"run-0.log", -1, ""}, {"run-1.log", -1, ""}},
		"seeds":             {{"bert_seed0.log", -1, ""}, {"bert_seed1.log", -1, ""}},
		"from one on":       {{"bert-1.log", -1, ""}, {"bert-2.log", -1, ""}},
		"rotated":           {{"train.log", -1, ""}, {"train.log.1", -1, ""}, {"train.log.2.gz", -1, ""}},
		"array jobs":        {{"slurm-4711_0.out", -1, ""}, {"slurm-4711_1.out", -1, ""}},
		"two runs' folders": {{"a/rank0.log", 0, "a/rank*.log"}, {"b/rank0.log", 0, "b/rank*.log"}},
		"pods of a JobSet":  {{"l/bert-node-0-1-q9v4m.log", 1, "l/bert-node-*.log"}, {"l/bert-node-0-0-x7k2p.log", 0, "l/bert-node-*.log"}},
		"Jobs of workers":   {{"a-worker-1-0-9zk4m.log", 1, "a-*.log"}, {"a-worker-0-0-x7k2p.log", 0, "a-*.log"}},
		"an indexed Job":    {{"bert-0-x7k2p.log", 0, "bert-*.log"}, {"bert-1-9zk4m.log", 1, "bert-*.log"}},
		"the life before":   {{"l/rank1-previous.log", 1, "l/rank*.log"}, {"l/rank1.log", 1, "l/rank*.log"}, {"l/rank0.log.prev", 0, "l/rank*.log"}},
		"of a pod":          {{"b-master-0.log", 0, "b-*.log"}, {"b-worker-1.log", 2, "b-*.log"}, {"b-worker-1-previous.log", 2, "b-*.log"}},
		"previous alone":    {{"previous.log", -1, ""}, {"train-previous.log", -1, ""}},
		"one pod of a Job":  {{"bert-3-x7k2p.log", -1, ""}},
		"words, not pods":   {{"bert-0-train.log", -1, ""}, {"bert-1-valid.log", -1, ""}},
		"process ids":       {{"bert-0-24117.log", -1, ""}, {"bert-1-24118.log", -1, ""}},
		"runs of pods":      {{"run-0-x7k2p.log", -1, ""}, {"run-1-9zk4m.log", -1, ""}},
	} {
		ids := make([]train.StreamID, len(files))
		for i := range files {
			ids[i].File = files[i].path
		}
		for i, got := range ranksOfLogs(ids) {
			if want := (logRank{files[i].rank, files[i].job}); got != want {
				t.Errorf("%s: %s: got %+v, want %+v", name, files[i].path, got, want)
			}
		}
	}
}

// Pods without objects have the ranks that operators put into names.
func TestRanksOfPodsWithoutObjects(t *testing.T) {
	got := ranksOfLogs([]train.StreamID{{Namespace: "ml", Pod: "bert-master-0", File: "all.log"}, {Namespace: "ml", Pod: "bert-worker-1", File: "all.log"}})
	if want := (logRank{2, "ml/bert-*"}); got[0] != (logRank{0, "ml/bert-*"}) || got[1] != want {
		t.Errorf("got %+v", got)
	}
}

// Pods of Jobs end with characters at random, and those of a JobSet are numbered within the
// Job that the JobSet numbers.
func TestRanksOfPodsOfJobs(t *testing.T) {
	for about, c := range map[string]struct {
		pods  []string
		ranks []int
	}{
		"one Job of a JobSet":         {[]string{"llama-node-0-0-x7k2p", "llama-node-0-2-wxz24", "llama-node-0-1-9zk4m"}, []int{0, 2, 1}},
		"several Jobs of one pod":     {[]string{"llama-workers-1-0-9zk4m", "llama-workers-0-0-x7k2p"}, []int{1, 0}},
		"several Jobs of two pods":    {[]string{"a-0-0-x7k2p", "a-0-1-x7k2p", "a-1-0-x7k2p", "a-1-1-x7k2p"}, []int{0, 1, 2, 3}},
		"the leader is first":         {[]string{"a-leader-0-0-x7k2p", "a-workers-0-0-x7k2p", "a-workers-0-1-x7k2p"}, []int{0, 1, 2}},
		"an indexed Job":              {[]string{"train-0-x7k2p", "train-1-9zk4m"}, []int{0, 1}},
		"a Job with numbers for name": {[]string{"llama-3-1-x7k2p"}, []int{-1}},
		"ranks are missing":           {[]string{"a-0-1-x7k2p", "a-0-3-x7k2p"}, []int{-1, -1}},
	} {
		ids := make([]train.StreamID, len(c.pods))
		for i, pod := range c.pods {
			ids[i] = train.StreamID{Namespace: "ml", Pod: pod, File: "all.log"}
		}
		jobs := map[string]bool{}
		for i, got := range ranksOfLogs(ids) {
			jobs[got.job] = true
			if got.rank != c.ranks[i] {
				t.Errorf("%s: %s has rank %d, want %d", about, c.pods[i], got.rank, c.ranks[i])
			}
		}
		if len(jobs) != 1 {
			t.Errorf("%s: several runs: %v", about, jobs)
		}
	}
}
