package diagnose

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// A rule that panics is named among what could not be checked; the other rules
// answer, and nothing is called well.
func TestBrokenRulesAreNamedAndTheRestAnswers(t *testing.T) {
	was := causes.Of("suspended").Find
	causes.Of("suspended").Find = func(*rule.JobContext) []train.Finding { return []train.Finding{{}}[1:2] }
	defer func() { causes.Of("suspended").Find = was }()
	answer := answerOf(t, failing(ended("gpu-0", 137, "OOMKilled", "", 1)))
	if len(answer.Findings) == 0 || answer.Findings[0].Cause != "oom-killed" || answer.Conclusion.Verdict != CauseFound {
		t.Errorf("the other rules say %v", answer.Findings)
	}
	for _, check := range answer.Checks {
		if check.Cause == "suspended" && (check.Result != train.CheckUnknown || !strings.Contains(check.Why, "this rule broke, which is a bug: runtime error: slice bounds out of range")) {
			t.Errorf("the broken rule's check says %s: %s", check.Result, check.Why)
		}
	}
	if calm := answerOf(t, func(c *cluster) {
		c.job(2, runs)
		c.node("gpu-0", 8)
		c.worker(0, running("gpu-0", 5))
	}); calm.Conclusion.Verdict == NothingWrong {
		t.Errorf("called well although a rule broke: %s", calm.Conclusion.Sentence)
	}
}

// A reader of one source for all causes may break too.
func TestBrokenReadersAreNamed(t *testing.T) {
	was := findingsFrom[0].find
	findingsFrom[0].find = func(*rule.JobContext) []train.Finding { panic("no such row") }
	defer func() { findingsFrom[0].find = was }()
	answer := answerOf(t, failing(ended("gpu-0", 137, "OOMKilled", "", 1)))
	if len(answer.Findings) == 0 || answer.Findings[0].Cause != "oom-killed" {
		t.Errorf("the other rules say %v", answer.Findings)
	}
	if got := answer.Conclusion.Missing; len(got) == 0 || got[0].What != "what tells of messages about its pods" || !strings.Contains(got[0].Why, "no such row") {
		t.Errorf("missing is %+v", got)
	}
}
