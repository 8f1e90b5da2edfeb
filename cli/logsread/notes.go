package logsread

import (
	"fmt"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// cutLog names the lines of a log that were too long to be read whole, "" for
// none.
func cutLog(log *store.Log) string {
	cut := &log.Cut
	switch cut.Lines {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("line %d is longer than 64 KiB; of the %d bytes behind that only failures were looked for", cut.First, cut.Bytes)
	}
	return fmt.Sprintf("%d lines are longer than 64 KiB, line %d first; of the %d bytes behind that only failures were looked for", cut.Lines, cut.First, cut.Bytes)
}

// brokenLog names the lines of a log on which a parser broke, "" for none.
func brokenLog(log *store.Log) string {
	broken := &log.Broken
	if broken.Lines == 0 {
		return ""
	}
	return fmt.Sprintf("a parser broke on %s, line %d first, which is a bug of traintop: %s; no value and no failure of that is known; report it with the line",
		termtext.Count(int(broken.Lines), "line"), broken.First.Number, broken.First.Why)
}

// Rotated reports that the file of a log was emptied or replaced while it was followed,
// "" where it was not.
func Rotated(log *store.Log) string {
	times := log.Begun + log.Rotated
	if times == 0 || log.ID.File == "" {
		return ""
	}
	return fmt.Sprintf("the file was emptied or replaced %s while it was followed; lines written just before may be missing", termtext.Count(times, "time"))
}

// Cut are the logs of jobs with lines that were not read, or not read whole.
func Cut(snapshot *store.Snapshot, jobs []*train.Job) (all []jsontext.Problem) {
	for _, job := range jobs {
		for rank := range job.Ranks {
			for _, log := range snapshot.RankLogs(job, rank) {
				for _, text := range []string{cutLog(log), brokenLog(log), Rotated(log)} {
					if text != "" {
						all = append(all, jsontext.Problem{Source: "log " + log.ID.String(), Text: text})
					}
				}
			}
		}
	}
	return all
}

// Group joins notes with the same text, which thousands of logs may share:
// of more than a few the first are named and the others counted.
func Group(notes []jsontext.Problem) []jsontext.Problem {
	const few, named = 5, 3
	var texts []string
	of := map[string][]string{}
	for _, n := range notes {
		if of[n.Text] == nil {
			texts = append(texts, n.Text)
		}
		of[n.Text] = append(of[n.Text], n.Source)
	}
	var grouped []jsontext.Problem
	for _, text := range texts {
		sources := of[text]
		if len(sources) > few {
			sources = []string{termtext.Few(sources, named)}
		}
		for _, source := range sources {
			grouped = append(grouped, jsontext.Problem{Source: source, Text: text})
		}
	}
	return grouped
}
