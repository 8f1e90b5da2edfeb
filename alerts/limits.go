package alerts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
)

// mostMatches is how many of the causes, severities and phases of a rule are listed.
const mostMatches = 4

// LimitWords lists what a rule narrows or holds back beyond how long a trouble lasts,
// each as a few words: "only namespaces team-*", "quiet 22:00-07:00", "at most 3 an
// hour". Its Means describes what a preset rule is about.
func (r *Rule) LimitWords() []string {
	words := []string{}
	add := func(is bool, text string) {
		if is {
			words = append(words, safe(text))
		}
	}
	add(len(r.Namespaces) > 0, "only namespaces "+strings.Join(r.Namespaces, ","))
	add(len(r.Owners) > 0, "only owners "+strings.Join(r.Owners, ","))
	if r.Labels != nil {
		add(!r.Labels.Empty(), "only labels "+r.Labels.String())
	}
	if matches := strings.Split(r.matchWords(), ", "); r.Means == "" && matches[0] != "" {
		add(true, "only "+termtext.Few(matches, mostMatches))
	}
	add(r.Quiet.String() != "", "quiet "+r.Quiet.String())
	add(r.Most > 0, r.mostWords())
	add(r.KeepResolved, "not when it is over")
	return words
}

func (r *Rule) mostWords() string { return fmt.Sprintf("at most %d an hour", r.Most) }

// HeldBack lists at the end of the watch which notices of new incidents rules
// still hold back, a line for each rule and reason. A state that is kept holds them for
// the next watcher.
func (w *Watcher) HeldBack(now time.Time) []string {
	held := map[string]int{}
	for _, f := range w.tracker.inOrder() {
		rule := w.tracker.ruleNamed(f.incident.Rule)
		if f.owed != Opened || rule == nil {
			continue
		}
		why := rule.mostWords()
		switch {
		case now.Before(f.incident.Muted):
			why = "muted"
		case rule.Quiet.Holds(now):
			why = "quiet " + rule.Quiet.String()
		}
		held[safe(rule.Name+" ("+why+")")]++
	}
	then := "told of nowhere"
	if w.Path != "" {
		then = "kept in " + safe(w.Path) + " for the next watcher"
	}
	var lines []string
	for _, rule := range slices.Sorted(maps.Keys(held)) {
		n := held[rule]
		lines = append(lines, fmt.Sprintf("%s of the rule %s %s held back at the end, and %s", termtext.Count(n, "notice"), rule, termtext.Agree(n, "is", "are"), then))
	}
	return lines
}
