package mergedlogs

import (
	"fmt"
	"strconv"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// RankNames are the prefixes of the lines of a job's ranks: the rank, or the
// role and its number where two pods share a rank.
func RankNames(job *train.Job) []string {
	count := map[int]int{}
	for i := range job.Ranks {
		count[job.Ranks[i].Index]++
	}
	names := make([]string, len(job.Ranks))
	for i := range job.Ranks {
		r := &job.Ranks[i]
		names[i] = strconv.Itoa(r.Index)
		if count[r.Index] > 1 {
			names[i] = termtext.Line(r.ShortName())
		}
	}
	return names
}

// LogSource names one log in the output.
type LogSource struct {
	Name string
	// colour counts through the palette, the same for a rank in each run.
	Colour int
	// RankIndex is the index in job.Ranks: it orders lines of equal times.
	RankIndex int
}

// NameLog names the log of a rank: the rank, the container where it is not the
// one that trains, the instance where it is not the first.
func NameLog(job *train.Job, names []string, rankIndex int, id train.StreamID) LogSource {
	r := &job.Ranks[rankIndex]
	name := names[rankIndex]
	if id.Container != "" && id.Container != r.Container {
		name += " " + termtext.Line(id.Container)
	}
	if id.Restart > 0 {
		name += fmt.Sprintf("#%d", id.Restart)
	}
	return LogSource{Name: name, Colour: r.Index, RankIndex: rankIndex}
}
