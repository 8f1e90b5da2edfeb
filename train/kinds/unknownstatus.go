package kinds

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// knownConditions are types of conditions with words of trouble that the readers of kinds
// and the rules of the diagnosis know.
var knownConditions = []string{
	"Failed", "FailureTarget", "Restarting", "ReplicaFailure", "RayClusterReplicaFailure", "RayClusterSuspending", "RayClusterSuspended", "DeadlineExceeded", "Evicted",
}

// troubleWord matches the words of a condition that reports trouble, in its type or reason.
var troubleWord = regexp.MustCompile(`(?i)degraded|error|fail|fatal|unhealthy|notready|broken|lost|stuck|stall|crash|timed?out|exceeded|invalid|denied|corrupt`)

// unknownStatus returns what the status of a job that has not ended reports about
// trouble, in words that no reader knows: its phase, else a condition that holds.
func unknownStatus(f *Family, a *specAndStatus, job *train.Job) string {
	if f.Top == nil || job.Phase.Terminal() {
		return ""
	}
	if a.unknownPhase != "" {
		return a.unknownPhase
	}
	list, _ := fieldsOf(f.Top).in("status")["conditions"].([]any)
	for _, entry := range list {
		c := asFields(entry)
		kind, reason := c.text("type"), c.text("reason")
		if f.groupKind() == appWrapperKind && kind == "Unhealthy" {
			continue // readAppWrapper reads it
		}
		if c.text("status") != "True" || slices.Contains(knownConditions, kind) || !troubleWord.MatchString(kind) && !troubleWord.MatchString(reason) {
			continue
		}
		words := []string{"the condition " + kind + " holds"}
		for _, text := range []string{reason, c.text("message")} {
			if text != "" {
				words = append(words, text)
			}
		}
		return termtext.Short(strings.Join(words, ": "), mostCondition)
	}
	return ""
}

// mostCondition bounds how much of a condition is quoted, in cells.
const mostCondition = 300
