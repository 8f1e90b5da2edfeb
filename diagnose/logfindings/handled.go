package logfindings

import (
	"regexp"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// handling matches what a program prints about its handling of an error. "caught"
// alone is no such word: watchdogs and signal handlers print it about what ends
// them.
var handling = regexp.MustCompile(`(?i)\b(?:halving|reducing|lowering|decreasing|shrinking) (?:the )?(?:\w+[- ]){0,2}batch|\b(?:retry|retrying|trying again|continuing) with (?:a )?(?:smaller|lower|half|reduced|batch)|\bskipping (?:this |the )?(?:(?:micro|mini)-?)?(?:batch|sample|step|update|iteration)\b|\b(?:nan|inf|infinite|non-?finite|not finite)\b[^\n]*[;,.:-] ?skipp(?:ing|ed)\b|\b(?:caught|ignored|recovered from)\b[^\n]*(?:, |; |\. )(?:retrying|skipping|continuing|will retry|carrying on)\b|\((?:non-fatal|ignor(?:ed|ing))\b[^)\n]*\)|\bnon-fatal\b[^\n]{0,20}\bignor|\bcan (?:be )?safely (?:be )?ignored?\b|\b(?:this|the) (?:error|failure|exception) (?:is|was|will be) (?:harmless|ignored)\b`)

// triesAgain matches the end of a line that states that what failed is tried again. Where
// the run goes on behind it, nothing is left of the failure.
var triesAgain = regexp.MustCompile(`(?i)(?:^|[\s,;:.(\[-])(?:retrying|(?:will |is )?try(?:ing)? (?:it )?again|will (?:be )?(?:retry|retried)|reconnecting)(?: (?:in|after) [\d.]+ ?\w*| now| later)?[\s.…!)\]]*$`)

// deletedInUse matches what removing a folder on NFS reports about a file in it that was
// deleted while it was open: the client keeps it under such a name until it is closed
// (Linux fs/nfs/unlink.c). A file that is removed there is most often temporary.
var deletedInUse = regexp.MustCompile(`busy: '[^'\n]*\.nfs[0-9a-f]{8,}`)

// handled reports whether a line states that the program caught its error and
// goes on.
func handled(hit *train.LogHit) bool { return handling.MatchString(hit.Text) || oneOfSeveral(hit.Text) }

// attempt matches the number of an attempt and of all: "attempt 1/3", "try 2 of 5".
var attempt = regexp.MustCompile(`(?i)\b(?:attempt|try|trial|retry)[ #:]{1,2}(\d{1,3})(?:/| of )(\d{1,3})\b`)

// oneOfSeveral reports whether a line is about an attempt after which others follow.
func oneOfSeveral(text string) bool {
	m := attempt.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	return whole(m[1]) < whole(m[2])
}

// HandledBeforeEnd reports whether the program caught the error of a line and
// wrote more after it, so that the line does not explain how it ended.
func HandledBeforeEnd(log *store.Log, hit *train.LogHit) bool {
	return handled(hit) && goesOn(log, hit)
}

// goesOn reports whether lines follow a hit in its log.
func goesOn(log *store.Log, hit *train.LogHit) bool {
	n := log.Lines.Len()
	return n > 0 && log.Lines.At(n-1).Number > hit.Line
}

// skippedLoss reports whether a line states that the program skips a loss that
// is no number, and steps of that rank follow: scalers and guards do so. Losses
// that stay so are found in the samples.
func skippedLoss(log *store.Log, hit *train.LogHit) bool {
	if hit.Cause != "nan-loss" || !handled(hit) {
		return false
	}
	own, _ := samplesAfter(log, hit)
	return own >= progressAfter
}
