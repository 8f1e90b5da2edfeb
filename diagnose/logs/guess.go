package logs

import (
	"github.com/traintop/traintop/diagnose/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// mostGuessed bounds the lines that are read for words alone: that is for what
// people paste, not for the logs of whole runs.
const mostGuessed = 400

// FewLines is how many lines a text has that words alone are looked for in: 0
// for one that is longer, or that tells of training.
func FewLines(log *store.Log) int {
	if n := log.Lines.Len(); n <= mostGuessed && none(log.Lines.Dropped()) && len(log.Samples.Rows) == 0 {
		return n
	}
	return 0
}

func none(lines, bytes int64) bool { return lines == 0 && bytes == 0 }

// guess is what a text that holds no known wording may be about: the line whose
// words name a cause best. It is told as a possibility and no more, and not
// where training goes on after the line.
func guess(job *train.Job, voices []voice, words Wording) []train.Finding {
	if !job.LogsOnly {
		return nil
	}
	var best *candidate
	place := 0
	for i := range voices {
		for _, log := range voices[i].logs {
			for n := range FewLines(log) {
				line := log.Lines.At(n)
				cause, at, found := signatures.Hint(line.Text)
				if !found || best != nil && at >= place {
					continue
				}
				hit := train.LogHit{Cause: cause, Line: line.Number, Time: line.Time, Text: line.Text, Rank: -1}
				if c := (candidate{cause: cause, rank: voices[i].rank, at: line.Time, hit: hit, log: log}); !healed(log, &hit) {
					best, place = &c, at
				}
			}
		}
	}
	if best == nil {
		return nil
	}
	w := words(best.cause)
	f := best.finding(job, len(voices), w)
	f.Severity, f.Confidence, f.Title = train.SeverityInfo, train.Possible, "Perhaps: "+f.Title
	f.Explanation = "The text holds no wording that is known; this line has the words of such a cause. " + f.Explanation
	return []train.Finding{f}
}

// narrow gives an exception of no known wording the cause that its own words
// name. What it says stays its title.
func (c *candidate) narrow() {
	if c.cause != "python-exception" || c.healed {
		return
	}
	if cause, _, found := signatures.Hint(c.hit.Text); found {
		c.cause, c.narrowed = cause, true
	}
}
