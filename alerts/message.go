package alerts

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// Message is a notice in words, without markup and without secrets. Each text
// is one line, safe for a terminal.
type Message struct {
	// Heading is "FAILED ml/PyTorchJob/bert: CUDA out of memory on rank 37".
	Heading string
	// Fields are further facts, in the order of their importance.
	Fields []Field
	// Evidence is the line that shows the cause, "" for none.
	Evidence string
	// Command opens the diagnosis here: "traintop diagnose ml/PyTorchJob/bert".
	Command string
}

// commandOf opens the diagnosis of the first job.
func commandOf(n Notice) string {
	command := "traintop diagnose "
	if n.Reach != "" {
		command += safe(n.Reach) + " "
	}
	return command + safe(n.Incident.Jobs[0].String())
}

// Field is one fact of a message.
type Field struct{ Name, Text string }

// mostNamedJobs is how many jobs a message names.
const mostNamedJobs = 10

// MessageOf writes a notice in words.
func MessageOf(n Notice) Message {
	i := &n.Incident
	m := Message{Heading: heading(n)}
	over := n.Change == Resolved // nothing is to be done
	if !over {
		m.Evidence = safe(i.Evidence)
	}
	if len(i.Jobs) > 0 {
		m.Command = commandOf(n)
	}
	add := func(name, text string) {
		if text != "" {
			m.Fields = append(m.Fields, Field{name, safe(text)})
		}
	}
	if len(i.Jobs) > 1 {
		add("jobs", namedJobs(i.Jobs))
	}
	if i.Rank >= 0 {
		add("rank", fmt.Sprint(i.Rank))
	}
	if n.Change == Updated {
		add("changed", i.Changed)
	}
	add("cause", string(i.Cause))
	if over {
		add("outcome", i.Outcome)
	} else {
		add("what to do", i.Next)
		add("command", i.NextCommand)
	}
	add("since", sinceWords(i.Since, n.At))
	if hours := i.GPUHours(); hours >= 0.1 {
		add("cost", fmt.Sprintf("%.1f GPU-hours so far", hours))
	}
	add("cluster", n.Cluster)
	return m
}

// heading states what changed, of what, and why.
func heading(n Notice) string {
	i := &n.Incident
	of := i.Shared
	switch {
	case of == "" && len(i.Jobs) > 0:
		of = i.Jobs[0].String()
	case len(i.Jobs) > 1:
		of += ", " + termtext.Count(len(i.Jobs), "job")
	}
	text := strings.ToUpper(string(n.Change))
	if n.Change == Opened {
		text = strings.ToUpper(string(i.Severity))
	}
	if of != "" {
		text += " " + of
	}
	return safe(text + ": " + i.Title)
}

// namedJobs lists the first jobs and counts the others.
func namedJobs(jobs []AffectedJob) string {
	return termtext.FewOf(jobs, mostNamedJobs, AffectedJob.String)
}

// sinceWords is an instant and how long ago it was.
func sinceWords(since, now time.Time) string {
	if since.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s (%s)", since.UTC().Format("2006-01-02 15:04:05 UTC"), termtext.Duration(now.Sub(since)))
}

// safe makes a text one line without secrets and control characters.
func safe(text string) string {
	return termtext.Line(redact.Text(text))
}
