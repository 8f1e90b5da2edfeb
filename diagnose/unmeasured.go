package diagnose

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// unmeasuredRanks returns the running ranks of a measured job that hold GPUs
// without a reading: an exporter does not answer, or counts fewer than the pod
// holds. nil where no GPU of the job is measured.
func (w *pass) unmeasuredRanks(job *train.Job) []int {
	if job.Phase != train.Running || job.GPUs == 0 || !w.JobMeasured(job.ID) {
		return nil
	}
	if sum := w.JobGPUs(job); sum == nil || sum.Measured >= sum.Wanted {
		return nil
	}
	var unread []int
	for _, gpu := range w.GPUsOf(job) {
		if w.isMeasured(gpu) || gpu.Rank < 0 {
			continue
		}
		at := slices.IndexFunc(job.Ranks, func(r train.Rank) bool { return r.Index == gpu.Rank })
		if at >= 0 && job.Ranks[at].State == train.RankRunning && !slices.Contains(unread, gpu.Rank) {
			unread = append(unread, gpu.Rank)
		}
	}
	slices.Sort(unread)
	return unread
}

// readings is what sources measure beside a running job of which no GPU is known
// to be measured.
type readings uint8

const (
	noReadings      readings = iota // or the job is measured, or holds no GPUs
	readingsAside                   // GPUs of other nodes alone
	readingsUnnamed                 // GPUs of its nodes, and no source reports that they are its own
	readingsBlank                   // its GPUs, without any number
)

// readingsBeside returns what is measured beside a job.
func (w *pass) readingsBeside(job *train.Job) (found readings) {
	if job.Phase != train.Running || job.GPUs == 0 || w.JobMeasured(job.ID) {
		return noReadings
	}
	named := func(gpu *train.GPUState) bool { return len(gpu.Sources) > 0 && gpu.Freshness(w.Now) <= train.Stale }
	if w.JobGPUsVersion(job.ID) > 0 && slices.ContainsFunc(w.GPUsOf(job), named) {
		return readingsBlank
	}
	w.MeasuredNodes(func(string, uint64) bool {
		found = readingsAside
		return false
	})
	if found == readingsAside && slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return store.NodeMeasured(w.Snapshot, r.Node) }) {
		found = readingsUnnamed
	}
	return found
}

// missing reports why no GPU of the job is measured, and what helps.
func (r readings) missing() (why, help string) {
	switch r {
	case readingsAside:
		return notMeasured + ": exporters or Prometheus were read, and have GPUs of other nodes alone", "an exporter of GPU metrics on the nodes of the job (traintop gpus lists what is measured)"
	case readingsBlank:
		return notMeasured + ": a source names its GPUs and gives no number of them", "see why it reads nothing from the driver: the log of the exporter on the nodes of the job, and nvidia-smi there"
	case readingsUnnamed:
		return notMeasured + ": GPUs of its nodes are, and no source says which pods hold them",
			"let the exporter name pods: DCGM_EXPORTER_KUBERNETES=true, the kubelet's socket /var/lib/kubelet/pod-resources, and labels of pods that Prometheus keeps (honorLabels)"
	}
	return notMeasured + ": no exporter or Prometheus was read", "an exporter of GPU metrics, or --prometheus URL; with --from also a page that was saved from one"
}

// unreadPast reports why the last hour of GPUs was not read, or not whole, "" where it
// was or no source has one. An hour later what was measured since has replaced it.
func unreadPast(s *store.Snapshot) string {
	for _, h := range s.Health() {
		if h.Source == train.GPUPastSource && s.Now.Sub(h.Since) < store.GPUHistory {
			return "the last hour of GPU readings was not read whole: " + cmp.Or(rule.Plain(h.Text), "no answer yet")
		}
	}
	return ""
}

func (w *pass) isMeasured(gpu *train.GPUState) bool {
	return store.HasNumbers(gpu) && gpu.Freshness(w.Now) <= train.Stale
}

// ranksWithoutReadings returns those of the unmeasured ranks of which no GPU at
// all has a reading: no cause that GPUs show is ruled out for them.
func (w *pass) ranksWithoutReadings(job *train.Job) []int {
	unread := w.unmeasuredRanks(job)
	if len(unread) == 0 {
		return nil
	}
	for _, gpu := range w.GPUsOf(job) {
		if w.isMeasured(gpu) {
			unread = slices.DeleteFunc(unread, func(rank int) bool { return rank == gpu.Rank })
		}
	}
	return unread
}
