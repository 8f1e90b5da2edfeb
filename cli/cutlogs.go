package cli

import (
	"fmt"

	"github.com/traintop/traintop/store"
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

// cutLogs are the logs of jobs with such lines.
func cutLogs(snapshot *store.Snapshot, jobs []*train.Job) (all []problemAnswer) {
	for _, job := range jobs {
		for rank := range job.Ranks {
			for _, log := range snapshot.RankLogs(job, rank) {
				if text := cutLog(log); text != "" {
					all = append(all, problemAnswer{"log " + log.ID.String(), text})
				}
			}
		}
	}
	return all
}
