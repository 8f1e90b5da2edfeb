package diagnose

import (
	"slices"
	"testing"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// A finding names the checks that answer what it leaves open, in the rank that
// it is about, and only while a rank runs in which they could be run.
func TestStepsNameProbes(t *testing.T) {
	job := &train.Job{Ranks: []train.Rank{
		{Index: 0, Namespace: "ml", Pod: "bert-0", Container: "pytorch", State: train.RankRunning},
		{Index: 1, Namespace: "ml", Pod: "bert-1", Container: "pytorch", State: train.RankRunning},
		{Index: 2, State: train.RankMissing},
	}}
	s := &rule.JobContext{Job: job}
	steps := func(cause train.Cause, root int) (probes []string, command string) {
		found := []train.Finding{{Cause: cause, RootRank: root}}
		addProbes(s, found)
		for _, step := range found[0].Next {
			probes, command = append(probes, step.Probe), step.Command
		}
		return probes, command
	}
	if probes, command := steps("shm-too-small", 1); !slices.Equal(probes, []string{"shm"}) || command != "kubectl exec -n ml bert-1 -c pytorch -- df -h /dev/shm" {
		t.Errorf("%v %q", probes, command)
	}
	if probes, _ := steps("hang-no-output", -1); !slices.Equal(probes, []string{"python-stack", "port-master"}) {
		t.Errorf("%v", probes)
	}
	if probes, _ := steps("rendezvous-timeout", -1); len(probes) != mostProbes {
		t.Errorf("%v", probes)
	}
	if probes, _ := steps("image-not-found", 0); probes != nil {
		t.Errorf("nothing inside a rank tells of an image: %v", probes)
	}
	job.Ranks[0].State, job.Ranks[1].State = train.RankFailed, train.RankFailed
	if probes, _ := steps("shm-too-small", 1); probes != nil {
		t.Errorf("no rank runs: %v", probes)
	}
}

// Every cause that a check is offered for is a cause.
func TestProbesAreOfCausesThatExist(t *testing.T) {
	for _, p := range probeSteps() {
		for _, id := range p.causes {
			if rule.CauseTable(causes).Of(id) == nil {
				t.Errorf("%s is offered for %s, which is no cause", p.probe, id)
			}
		}
	}
}
