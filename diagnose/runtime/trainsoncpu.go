package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var trainsOnCPU = rule.Cause{
	ID: logfindings.TrainsOnCPU, Stage: train.StageSpeed,
	Words: logfindings.Words{
		Title:   "The training runs on the CPU although it has GPUs",
		Meaning: "The program found no GPU and goes on without, on the CPU, while its container holds GPUs: the image's framework is built without CUDA or ROCm, CUDA_VISIBLE_DEVICES is empty, or the container runtime does not pass the GPUs on.",
		Fix: "See which GPUs the container has. $ nvidia-smi\n" +
			"If they are there, see whether the image's framework can use them (torch.version.cuda, jax.devices()) and whether CUDA_VISIBLE_DEVICES is empty. If not, check the pod's runtime class and the device plugin of its node.",
	},
	Evidence: "A line such as `No GPU found, training on CPU` or `GPU available: False` in the log of a container that requests GPUs.",
	Hides:    []train.Cause{"low-gpu-utilisation"},

	Find: func(s *rule.JobContext) []train.Finding {
		var found []train.Finding
		if s.Job.Phase.Terminal() {
			return nil
		}
		for _, p := range s.Pods {
			hit, log := cpuLine(s, p)
			if hit == nil {
				continue
			}
			f := s.NewFinding(train.SeverityWarning, hit.Time, p)
			f.Confidence = train.Likely
			f.Title = fmt.Sprintf("The training of %s runs on the CPU although its container has GPUs", rule.RankName(p.Rank))
			f.Explanation = s.Current.Meaning
			f.Evidence = []train.Evidence{{Kind: train.EvidenceLog, Object: s.Ref(p), Text: rule.Plain(hit.Text), Time: hit.Time, Rank: p.Rank.Index, Stream: log, Line: hit.Line}}
			f.Next = append([]train.Step{rule.Look("See which GPUs the container sees.", "kubectl", "exec", "-n", p.Namespace, p.Name, "-c", p.Rank.Container, "--", "nvidia-smi", "-L")}, s.Current.Advice()...)
			f.Verify = "The program says that it uses the GPUs, and their use rises."
			found = append(found, f)
		}
		return found
	},
}

// cpuLine returns the line in which a running rank with GPUs reports that it goes
// on without.
func cpuLine(s *rule.JobContext, p *rule.Pod) (*train.LogHit, train.StreamID) {
	position := -1
	for i := range s.Job.Ranks {
		if &s.Job.Ranks[i] == p.Rank {
			position = i
		}
	}
	if position < 0 || p.Rank.State != train.RankRunning || !holdsGPUs(p) {
		return nil, train.StreamID{}
	}
	log := s.RankLog(s.Job, position)
	if log == nil || logfindings.OfEarlierRun(s.Snapshot, log) {
		return nil, train.StreamID{}
	}
	for i := range log.Hits {
		if log.Hits[i].Cause == logfindings.TrainsOnCPU {
			return &log.Hits[i], log.ID
		}
	}
	return nil, train.StreamID{}
}

func holdsGPUs(p *rule.Pod) bool {
	for i := range p.Spec.Containers {
		if c := &p.Spec.Containers[i]; c.Name == p.Rank.Container && kinds.RequestsDevices(c) {
			return true
		}
	}
	return false
}
