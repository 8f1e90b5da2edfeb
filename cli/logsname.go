package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/train"
)

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

// logSource names one log in what is printed.
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
