package diagnose

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/train"
)

// Markdown prints the list of causes for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Causes\n\nWhy a training job is stuck, failed or slow, by the id that `traintop diagnose` prints. Printed from the lists in `diagnose/<stage>/causes.go`; `make generate` writes it anew. Within a stage they stand in order of precedence.\n")
	stage := train.Stage("")
	described := Causes()
	for _, next := range train.Stages {
		for i := range described {
			if d := &described[i]; d.Stage == next {
				if stage != next {
					stage = next
					fmt.Fprintf(&b, "\n## Stage: %s\n", next)
				}
				writeCause(&b, d)
			}
		}
	}
	return b.String()
}

func writeCause(b *strings.Builder, d *Description) {
	fmt.Fprintf(b, "\n### %s\n\n**%s.** %s\n\n- **Evidence:** %s\n- **What to do:** %s\n- **Read from:** %s\n", d.ID, d.Title, d.Meaning, d.Evidence, sentences(d.Steps()), strings.Join(d.From, ", "))
	if len(d.Hides) > 0 {
		var hides []string
		for _, id := range d.Hides {
			hides = append(hides, "`"+string(id)+"`")
		}
		fmt.Fprintf(b, "- **Explains:** %s\n", strings.Join(hides, ", "))
	}
}

// sentences writes steps one after the other, each with its command.
func sentences(steps []train.Step) string {
	var list []string
	for _, s := range steps {
		text := s.Text
		if s.Command != "" {
			text = strings.TrimSuffix(text, ".") + ": `" + s.Command + "`."
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}
