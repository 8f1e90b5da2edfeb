package runtime

import (
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var podsAfterEnd = rule.Cause{
	ID: "pods-after-end", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Pods of a job that succeeded still hold GPUs",
		Meaning: "The job is over, and pods of it run on and hold their GPUs: its operator was told to leave them (cleanPodPolicy: None is the preset of mpi-operator v2), or is down.",
		Fix: "Delete the job, or its pods, when nobody needs what they still hold.\n" +
			"For the next run set cleanPodPolicy: Running, so that the operator deletes what still runs when the job is over.",
	},
	Evidence: "The job succeeded more than ten minutes ago, while a pod of it that is not being deleted runs and requests GPUs.",

	Find: func(s *rule.JobContext) []train.Finding {
		pods, ending, gpus, _ := s.Job.LivePods()
		switch {
		case s.Job.Phase != train.Succeeded:
			s.CheckSkipped("the job has not succeeded")
			return nil
		case pods == ending || gpus == 0:
			s.CheckPassed("no pod of it holds GPUs")
			return nil
		case s.Job.Finished.IsZero() || !s.OlderThan(s.Job.Finished, podsLinger):
			return nil
		}
		var running []*rule.Pod
		for _, p := range s.Pods {
			if p.Rank.HasLivePod() && p.Rank.State != train.RankTerminating && holdsGPUs(p) {
				running = append(running, p)
			}
		}
		if len(running) == 0 {
			return nil
		}
		f := s.NewFinding(train.SeverityWarning, s.Job.Finished, running...)
		f.Title = "The job succeeded " + termtext.Duration(s.Now.Sub(s.Job.Finished)) + " ago, and " + kinds.LivePodsReason(s.Job)
		f.Explanation = s.Current.Meaning
		for _, p := range running {
			f.Evidence = append(f.Evidence, rule.StatusEvidence(s.Ref(p), "status.phase", string(p.Status.Phase), p.Rank.Since, rule.RankOf(p)))
			if len(f.Evidence) == 8 {
				break
			}
		}
		f.Next = append([]train.Step{rule.Look("See the pods.", "kubectl", "get", "pod", "-n", running[0].Namespace, running[0].Name)}, s.Current.Advice()...)
		f.Verify = "No pod of the job is left, and its GPUs are free."
		return []train.Finding{f}
	},
}

// podsLinger is how long pods may run on after their job succeeded: an operator that
// deletes them does so within seconds.
const podsLinger = 10 * time.Minute
