package train

import "time"

// GPUSeconds sums how long the ranks held their GPUs in all their known
// attempts, in seconds for each GPU. It is unknown when no rank that asks for
// GPUs has an attempt that began at a known time.
func (j *Job) GPUSeconds(now time.Time) (seconds float64, known bool) {
	for i := range j.Ranks {
		r := &j.Ranks[i]
		for k := range r.Attempts {
			if r.GPUs == 0 || r.Attempts[k].Started.IsZero() {
				continue
			}
			if held := j.endOf(r, k, now).Sub(r.Attempts[k].Started); held > 0 {
				seconds, known = seconds+held.Seconds()*float64(r.GPUs), true
			}
		}
	}
	return seconds, known
}

// endOf returns when an attempt of a rank ended: now while it runs. Where its
// end is unknown it lasted until the next one began, or the job ended.
func (j *Job) endOf(r *Rank, attempt int, now time.Time) time.Time {
	switch end := r.Attempts[attempt].Finished; {
	case !end.IsZero():
		return end
	case attempt < len(r.Attempts)-1 && !r.Attempts[attempt+1].Started.IsZero():
		return r.Attempts[attempt+1].Started
	case !j.Finished.IsZero():
		return j.Finished
	}
	return now
}
