package train

import "time"

// GPUSeconds sums how long the ranks held their GPUs in all their known pods, in
// seconds for each GPU. A pod holds them from its node to its end, also while its
// image does not come and between two restarts in place. It is unknown when no rank
// that asks for GPUs has an attempt that began at a known time.
func (j *Job) GPUSeconds(now time.Time) (seconds float64, known bool) {
	for i := range j.Ranks {
		r := &j.Ranks[i]
		for first := 0; first < len(r.Attempts) && r.GPUs > 0; {
			last := first
			for uid := r.Attempts[first].PodUID; uid != "" && last+1 < len(r.Attempts) && r.Attempts[last+1].PodUID == uid; {
				last++
			}
			begun := r.Attempts[first].Bound
			if begun.IsZero() {
				begun = r.Attempts[first].Started
			}
			if held := j.endOf(r, last, now).Sub(begun); held > 0 && !begun.IsZero() {
				seconds, known = seconds+held.Seconds()*float64(r.GPUs), true
			}
			first = last + 1
		}
	}
	return seconds, known
}

// endOf returns when the pod of an attempt of a rank, its last, ended: now while it
// lives. Where its end is unknown it lasted until the next one began, or the job
// ended.
func (j *Job) endOf(r *Rank, attempt int, now time.Time) time.Time {
	a := &r.Attempts[attempt]
	switch {
	case a.PodUID != "" && a.PodUID == r.PodUID && r.HasLivePod():
		return now
	case !a.Finished.IsZero():
		return a.Finished
	case attempt < len(r.Attempts)-1 && !r.Attempts[attempt+1].Started.IsZero():
		return r.Attempts[attempt+1].Started
	case !j.Finished.IsZero():
		return j.Finished
	}
	return now
}
