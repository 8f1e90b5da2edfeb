package probes

import (
	"fmt"
	"strings"
)

// Markdown is docs/probes.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Probes

Named checks that are run inside the ranks of a job, with the answers side by side and the odd one marked. Printed from the list in ` + "`actions/probes/list.go`" + `; ` + "`make generate`" + ` writes it anew. A probe runs a constant command: nothing of the cluster becomes part of it, names are passed as arguments. Unless it says so it changes nothing.

| probe | shows | tells | time allowed |
| --- | --- | --- | --- |
`)
	for _, p := range All() {
		about := p.About
		if p.Writes {
			about += " **It writes: it asks first, and is not offered with --readonly.**"
		}
		timeout := p.Timeout
		if timeout == 0 {
			timeout = DefaultTimeout
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.ID, p.Title, about, timeout)
	}
	b.WriteString(`
Answers of ranks are compared: where most of them say the same, those that say something else are marked. Clocks are marked that lie further from the middle one than the measurement may be wrong. A probe that could not be run is unclear, with the reason, and never good.

Probes of your own are argument lists in the configuration (docs/configuration.md). One that is not marked as harmless asks first.
`)
	return b.String()
}
