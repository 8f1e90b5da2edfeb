package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/train"
)

// rankSet is what --ranks names; the zero value is all ranks.
type rankSet struct {
	text   string
	ranges [][2]int
}

// parseRanks reads "0,3-5".
func parseRanks(text string) (rankSet, error) {
	set := rankSet{text: text}
	if text == "" {
		return set, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		low, errLow := strconv.Atoi(from)
		high, errHigh := strconv.Atoi(to)
		if errLow != nil || errHigh != nil || low < 0 || high < low {
			return set, fmt.Errorf("--ranks %q: %q is no rank and no range of ranks such as 3-5", text, part)
		}
		set.ranges = append(set.ranges, [2]int{low, high})
	}
	return set, nil
}

func (s rankSet) has(rank int) bool {
	for _, r := range s.ranges {
		if rank >= r[0] && rank <= r[1] {
			return true
		}
	}
	return s.text == ""
}

// rankNames are what lines of a job's ranks begin with: the rank, or the role
// and its number where two pods share a rank.
func rankNames(job *train.Job) []string {
	count := map[int]int{}
	for i := range job.Ranks {
		count[job.Ranks[i].Index]++
	}
	names := make([]string, len(job.Ranks))
	for i := range job.Ranks {
		r := &job.Ranks[i]
		names[i] = strconv.Itoa(r.Index)
		if count[r.Index] > 1 {
			names[i] = fmt.Sprintf("%s-%d", strings.ToLower(plain(r.Role)), r.RoleIndex)
		}
	}
	return names
}

// source names one log in what is printed.
type logSource struct {
	name string
	// colour counts through the palette, the same for a rank in each run.
	colour int
}

// nameLog names the log of a rank's place: the rank, the container where it
// is not the one that trains, the life where it is not the first.
func nameLog(job *train.Job, names []string, place int, id train.StreamID) logSource {
	r := &job.Ranks[place]
	name := names[place]
	if id.Container != "" && id.Container != r.Container {
		name += " " + plain(id.Container)
	}
	if id.Restart > 0 {
		name += fmt.Sprintf("#%d", id.Restart)
	}
	return logSource{name: name, colour: r.Index}
}
