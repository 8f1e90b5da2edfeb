package signals

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/train"
)

// Markdown returns docs/signals.md: the table of rules with their limits, and
// that of Xids.
func Markdown() string {
	var b strings.Builder
	b.WriteString(documentIntro)
	b.WriteString("| signal | word | says | cause |\n| --- | --- | --- | --- |\n")
	for _, r := range table() {
		cause := "–"
		if r.cause != "" {
			cause = "`" + string(r.cause) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.kind, r.word, cell(r.meaning), cause)
	}
	b.WriteString(documentLimits)
	b.WriteString("| limit | preset | unit | of | what it limits | who says so |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range table() {
		for _, l := range r.limits {
			fmt.Fprintf(&b, "| `%s` | %s | %s | `%s` | %s | %s |\n", l.Name, strconv.FormatFloat(l.Preset, 'f', -1, 64), l.Unit, r.kind, cell(l.Meaning), cell(l.Source))
		}
	}
	b.WriteString(documentXids)
	b.WriteString("| Xid | meaning | blame | severity | what to do |\n| --- | --- | --- | --- | --- |\n")
	for _, x := range train.Xids() {
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s |\n", x.Code, cell(x.Meaning), x.Blame, x.Severity(), cell(x.Action))
	}
	return b.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

const documentIntro = `# Signals

What the numbers of GPUs, nodes and containers say. Each signal is a pure rule: a GPU, a job or a node with its past and some limits in, one sentence out. Of signals that are equally severe the one that stands first here is shown first. Unknown numbers give no signal; old ones (three intervals of their source) only the signal ` + "`stale`" + `. Of GPUs of one job that say the same one sentence is made.

`

const documentLimits = `
## Limits

Each can be changed in the configuration: ` + "`signals: {idleFor: 30}`" + `. Where nobody publishes a number it says so.

`

const documentXids = `
## Xids

Errors that NVIDIA's driver reports. A code counts for a job when it appeared while its pod held the GPU; exporters go on telling the last code until they are started again. Codes that are not listed are the driver's, until somebody knows better.

`
