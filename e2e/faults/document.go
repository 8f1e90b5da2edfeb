package faults

import (
	"fmt"
	"strings"
)

// Markdown is docs/reliability.md.
func Markdown() string {
	var b strings.Builder
	b.WriteString(heading)
	for _, row := range Rows() {
		fmt.Fprintf(&b, "| %s | %s | %s | %d | %s | %s | %d |\n", row.Fault.Words, row.when(), strings.Join(row.Commands, ", "), row.Tries(), row.Lost, quoted(row.Says), row.Exit)
	}
	b.WriteString(others)
	for _, row := range OtherRows() {
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s |\n", row.Fault, row.Tries, row.Lost, row.Says, row.Test)
	}
	return b.String()
}

const heading = `# Reliability

<!-- make generate writes this file from e2e/faults; edit that. -->

What happens when what traintop reads misbehaves. Every row is a test of the built program against an API server, its kubelets, an exporter and a Prometheus that misbehave on command (` + "`e2e/faults`" + `): it ends within 30 s with ` + "`--request-timeout`" + ` at 5 s where nothing comes, holds less than 768 MiB, prints valid JSON where JSON was asked for, exits with the code of the row, says the words of the row (on standard error, in ` + "`problems`" + ` or on the screen), and answers the rest.

` + "`make test`" + ` runs each row once for each command, as text and as JSON. ` + "`make faults HOURS=2`" + ` runs all faults at all places against all commands at random moments for half as long, prints its seed, and checks what holds for every row; then it fuzzes.

| fault | where | commands | tries | what is lost | what is said | exit |
| --- | --- | --- | --- | --- | --- | --- |
`

const others = `
What is lost is never more than the row says: a source that fails leaves the others as they are. Unknown is said, never shown as zero or absent.

## Files, recordings and terminals

| fault | tries | what is lost | what is said | test |
| --- | --- | --- | --- | --- |
`
