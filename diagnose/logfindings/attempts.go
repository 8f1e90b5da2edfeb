package logfindings

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// attemptFolder is the folder that torchrun makes for each attempt below --log-dir
// (PyTorch 2.9, torch/distributed/elastic/multiprocessing/api.py), as a part of a path.
var attemptFolder = regexp.MustCompile(`(^|[/\\])attempt_([0-9]{1,6})[/\\]`)

// logAttempt is which of several runs of the same processes a log is of.
type logAttempt struct {
	// run is what the attempts have in common: a folder, or "" for instances of
	// containers.
	run    string
	number int
}

func attemptOf(id train.StreamID) logAttempt {
	if at := attemptFolder.FindStringSubmatchIndex(id.File); at != nil {
		number, _ := strconv.Atoi(id.File[at[4]:at[5]]) // six digits at most
		return logAttempt{run: "/" + id.File[:at[0]], number: number}
	}
	return logAttempt{number: id.Restart}
}

// Repeated returns the logs of attempts after which another made progress: their errors
// ended an attempt, and not the run. Attempts of torchrun are those of all ranks; of an
// instance of a container there has to be a later one. Of a job with objects there are
// none: its pods show which instance is the newest.
func Repeated(s *store.Snapshot, job *train.Job) map[train.StreamID]bool {
	if !job.LogsOnly {
		return nil
	}
	progressed, instances := map[string]int{}, map[train.StreamID]int{}
	var logs []*store.Log
	repeated := map[train.StreamID]bool{}
	for i := range job.Ranks {
		of := s.RankLogs(job, i)
		notePrevious(of, repeated)
		noteReplaced(of, repeated)
		logs = append(logs, of...)
	}
	for _, log := range logs {
		at, container := attemptOf(log.ID), containerOf(log.ID)
		instances[container] = max(instances[container], log.ID.Restart)
		if len(log.Samples.Rows) >= progressAfter {
			progressed[at.run] = max(progressed[at.run], at.number)
		}
	}
	for _, log := range logs {
		at := attemptOf(log.ID)
		if at.number < progressed[at.run] && (at.run != "" || at.number < instances[containerOf(log.ID)]) {
			repeated[log.ID] = true
		}
	}
	return repeated
}

// notePrevious notes the logs of a rank that are of the instance before, by their files'
// names, where the one after it made progress.
func notePrevious(of []*store.Log, repeated map[train.StreamID]bool) {
	if len(of) < 2 || !slices.ContainsFunc(of, func(log *store.Log) bool {
		return len(log.Samples.Rows) >= progressAfter && !log.ID.Previous()
	}) {
		return
	}
	for _, log := range of {
		if log.ID.Previous() {
			repeated[log.ID] = true
		}
	}
}

// noteReplaced notes the logs of a rank's earlier pods, where a later pod made progress: a
// node keeps the folder of a pod beside that of the one which replaced it.
func noteReplaced(of []*store.Log, repeated map[train.StreamID]bool) {
	for _, earlier := range of {
		if earlier.ID.UID == "" || earlier.Lines.Len() == 0 {
			continue
		}
		end := earlier.Lines.At(earlier.Lines.Len() - 1).Time
		repeated[earlier.ID] = repeated[earlier.ID] || !end.IsZero() && slices.ContainsFunc(of, func(later *store.Log) bool {
			rows := later.Samples.Rows
			return later.ID.UID != "" && later.ID.UID != earlier.ID.UID && len(rows) >= progressAfter && rows[0].Time > end.UnixNano()
		})
	}
}

// containerOf returns what the logs of a container's instances have in common.
func containerOf(id train.StreamID) train.StreamID {
	return train.StreamID{Namespace: id.Namespace, Pod: id.Pod, UID: id.UID, Container: id.Container}
}
