package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// probeStep is a check inside the ranks that answers what a finding leaves
// open. Its ID is one of actions/probes.
type probeStep struct {
	probe  string
	causes []train.Cause
	// text describes what the result shows.
	text string
	// command does the same by hand, in one rank; nil where no short one does.
	command []string
}

// probeSteps are tried in order; a finding gets those that name its cause.
func probeSteps() []probeStep {
	return []probeStep{
		{"python-stack", []train.Cause{"hang-no-output", "one-rank-behind", "nccl-timeout", "nccl-desync", "horovod-stall", "storage-hang", "straggler"},
			"Compare the Python stacks of the ranks: the one that is not inside the collective is the one the others wait for.", nil},
		{"shm", []train.Cause{"shm-too-small", "nccl-system-error", "dataloader-worker-killed"},
			"See how large and how full /dev/shm is in each rank.", []string{"df", "-h", "/dev/shm"}},
		{"disk", []train.Cause{"no-space-left", "checkpoint-write-failed", "evicted-ephemeral-storage", "storage-hang", "checkpoint-stall"},
			"See which mount is full, or does not answer, in each rank.", []string{"df", "-h"}},
		{"write-test", []train.Cause{"checkpoint-write-failed", "checkpoint-stall"},
			"Write a test file to the checkpoint volume from each rank (it asks first).", nil},
		{"dns-master", []train.Cause{"master-addr-unresolvable", "rendezvous-timeout", "mpi-launcher-ssh-failure"},
			"See in which ranks the name of the first rank has an address.", nil},
		{"port-master", []train.Cause{"rendezvous-timeout", "nccl-init-failure", "gloo-connect-failure", "hang-no-output"},
			"See from which ranks the port of the first rank answers.", nil},
		{"rank-env", []train.Cause{"rendezvous-timeout", "nccl-init-failure", "nccl-socket-ifname", "gloo-connect-failure", "port-in-use"},
			"Compare the settings of the ranks: one that differs is marked.", []string{"env"}},
		{"nccl-version", []train.Cause{"nccl-init-failure"},
			"Compare the versions of NCCL in the ranks.", nil},
		{"cuda-visible", []train.Cause{"no-gpu-visible", "cuda-driver-mismatch", "cuda-arch-mismatch", "gpu-fell-off-bus"},
			"See how many GPUs PyTorch sees in each rank, and with which CUDA.", []string{"nvidia-smi", "-L"}},
		{"infiniband", []train.Cause{"nccl-ib-error", "network-hw-degraded", "network-bound"},
			"See in which rank a port is down, or cannot be opened.", []string{"ibstat"}},
		{"ulimits", []train.Cause{"nccl-ib-error", "too-many-open-files", "process-limit"},
			"See the limits of open files, processes and locked memory in each rank.", []string{"cat", "/proc/1/limits"}},
		{"gpu-processes", []train.Cause{"gpu-in-use-by-other", "cuda-out-of-memory"},
			"See which processes hold the GPUs of the ranks.", []string{"nvidia-smi", "--query-compute-apps=pid,process_name,used_memory", "--format=csv"}},
		{"clock", []train.Cause{"rendezvous-timeout"},
			"See whether the clocks of the ranks' nodes agree.", nil},
	}
}

// ProbeIDs returns the checks that steps of findings name.
func ProbeIDs() []string {
	var ids []string
	for _, p := range probeSteps() {
		ids = append(ids, p.probe)
	}
	return ids
}

// mostProbes is how many a finding names, so that the other steps stay
// visible.
const mostProbes = 3

// addProbes adds to findings the checks that can be run now: one of their
// ranks must run.
func addProbes(s *rule.JobContext, found []train.Finding) {
	for i := range found {
		f := &found[i]
		rank := probed(s, f)
		if rank == nil {
			continue
		}
		for _, p := range probeSteps() {
			named := slices.ContainsFunc(f.Next, func(step train.Step) bool { return step.Probe == p.probe })
			if slices.Contains(p.causes, f.Cause) && !named && countProbes(f.Next) < mostProbes {
				f.Next = append(f.Next, p.step(rank))
			}
		}
	}
}

// probed returns the rank that a finding is about and that runs, else any that
// does.
func probed(s *rule.JobContext, f *train.Finding) *train.Rank {
	var any *train.Rank
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		if r.State != train.RankRunning || r.Pod == "" {
			continue
		}
		if r.Index == f.RootRank || f.RootRank < 0 && slices.Contains(f.Ranks, r.Index) {
			return r
		}
		if any == nil {
			any = r
		}
	}
	return any
}

func (p probeStep) step(r *train.Rank) train.Step {
	step := rule.Do(p.text)
	if p.command != nil {
		arguments := []string{"kubectl", "exec", "-n", r.Namespace, r.Pod}
		if r.Container != "" {
			arguments = append(arguments, "-c", r.Container)
		}
		step = rule.Look(p.text, append(append(arguments, "--"), p.command...)...)
	}
	step.Probe = p.probe
	return step
}

func countProbes(steps []train.Step) int {
	n := 0
	for i := range steps {
		if steps[i].Probe != "" {
			n++
		}
	}
	return n
}
