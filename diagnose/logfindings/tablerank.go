package logfindings

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/traintop/traintop/store"
)

// A table of kubectl get pods may be the only text about a job that failed. The names of its
// pods show their ranks, in the order in which operators number them.

var (
	// rolePod matches the name of a pod of a role, jobsetPod that of a JobSet's pod and
	// numberedPod that of an indexed Job or a StatefulSet: the job, the role, the number. A
	// Job's pods end with five characters at random (apimachinery util/rand).
	rolePod     = regexp.MustCompile(`^(.+)-(master|chief|leader|worker)-(\d{1,5})(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?$`)
	jobsetPod   = regexp.MustCompile(`^(.+?)-(\d{1,5})-(\d{1,5})-[bcdfghjklmnpqrstvwxz2456789]{5}$`)
	numberedPod = regexp.MustCompile(`^(.+?)-(\d{1,5})(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?$`)
)

// tablePod is a pod as its name describes it. A pod that is no leader comes behind the
// leaders of its job; one of a JobSet is numbered within the Job that outer numbers.
type tablePod struct {
	job           string
	leader        bool
	sure          bool // a role comes before the number
	outer, number int
}

func podNamed(name string) (tablePod, bool) {
	atoi := func(text string) int {
		n, _ := strconv.Atoi(text) // five digits at most
		return n
	}
	if m := jobsetPod.FindStringSubmatch(name); m != nil {
		return tablePod{job: m[1], outer: atoi(m[2]), number: atoi(m[3])}, true
	}
	if m := rolePod.FindStringSubmatch(name); m != nil {
		return tablePod{job: m[1], leader: m[2] != "worker", sure: true, number: atoi(m[3])}, true
	}
	if m := numberedPod.FindStringSubmatch(name); m != nil {
		return tablePod{job: m[1], number: atoi(m[2])}, true
	}
	return tablePod{}, false
}

// mostPodRows is how many rows of a table are looked at, above a row and below it.
const mostPodRows = 512

// tableRank returns the rank of the pod in whose row of a table a line is, -1 for none. The
// table has to list other pods of the job.
func tableRank(log *store.Log, number int64) int {
	at := log.Lines.Find(number)
	if at >= log.Lines.Len() || log.Lines.At(at).Number != number || log.ID.Pod != "" {
		return -1
	}
	podAt := func(i int) (tablePod, bool) {
		m := podRow.FindStringSubmatch(row(log, i))
		if m == nil {
			return tablePod{}, false
		}
		pod, _ := podNamed(m[1])
		return pod, true
	}
	own, is := podAt(at)
	if !is || own.job == "" {
		return -1
	}
	from, to := at, at
	for from > 0 && at-from < mostPodRows {
		if _, row := podAt(from - 1); !row {
			break
		}
		from--
	}
	for to+1 < log.Lines.Len() && to-at < mostPodRows {
		if _, row := podAt(to + 1); !row {
			break
		}
		to++
	}
	var beside []tablePod
	for i := from; i <= to; i++ {
		if pod, _ := podAt(i); pod.job == own.job && pod.sure == own.sure && !slices.Contains(beside, pod) { // -w repeats rows
			beside = append(beside, pod)
		}
	}
	return rankAmong(own, beside)
}

// rankAmong returns the rank of a pod among those of its job, which it is one of.
func rankAmong(own tablePod, all []tablePod) int {
	if len(all) < 2 {
		return -1
	}
	leaders, pods := 0, 0
	for _, pod := range all {
		pods = max(pods, pod.number+1)
		if pod.leader {
			leaders = max(leaders, pod.number+1)
		}
	}
	switch {
	case own.leader:
		return own.number
	case own.sure:
		return leaders + own.number
	}
	seen := map[int]bool{}
	for _, pod := range all { // other numbers are no ranks where some are missing
		seen[pod.outer*pods+pod.number] = true
	}
	for rank := range len(seen) {
		if !seen[rank] {
			return -1
		}
	}
	return own.outer*pods + own.number
}
