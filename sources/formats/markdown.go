package formats

import (
	"fmt"
	"strings"
)

// Markdown writes the list of formats for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Log formats\n\nPrinted from the list in `sources/formats/formats.go`; `make generate` writes it anew. Lines of other programs are read too when they name their values: a step or an epoch and what was measured. What loggers, launchers and collectors write in front is taken off; a prefix that nobody listed is learned where nearly all lines of a log begin with it. A number that is printed as an object of its library (a tensor with its device, a scalar of NumPy, JAX, Paddle or TensorFlow) counts as the number, and several records on one line are read one by one: with nothing between them, or where a log lost the ends of its lines (blanks, the characters `\\n`, texts of a list, elements of XML). Where no word of a log names the position of its losses, it is learned from lines that have the same words and other numbers: the number that grows by steady steps is the step; where none does, the fifth such line proves that they may be counted, and the step is their count (not where the log announces how many steps it has). The counter of a loop, a plural such as `Epochs: 3`, or the bare number in front of what training measures is the position once it has grown from record to record. Two whole numbers in front of a record (`3:100 loss 0.5`, `(3, 100) => loss 0.5`) are the epoch and the step once three records grew as those do; a counter that no table knows counts as the step below an epoch, beside a loss (`trained times: 300, loss: 0.5`). A loss that comes before any position, right above the line that has it, belongs to that line. In a log that names no loss, the error that is measured beside a position (`error`, `mse`, `nll`, `xent`) is the loss, and that of evaluation its loss (`train nll 0.51, valid nll 0.62`), unless another error is on the line; so is `total` beside its parts (`total 2.3 cls 1.1 box 1.2`). A loss that only a letter names (`L=0.34  D=0.33`) keeps that name, unless that of evaluation is beside it (`tl 0.5 vl 0.6`). Members of one name in different objects of a record are named with their objects, `generator.loss` and `discriminator.loss` of `{\"generator\": {\"loss\": 1.9}, \"discriminator\": {\"loss\": 0.7}}`; what is in an object of evaluation is of evaluation. `traintop curves --explain FILE:LINE` says how one line was read. Not read are values without a name (columns without a heading), bars without values, lines without a loss whose count no table knows by name (`after cycle=3 avg(utility)=296.4`, `<10> LL/token: -9.1` of MALLET, `1: ... loglikelihood=-17328.7` of OpenNLP), a step or an epoch below 0 (programs mark with it what has none: such a line has no position), several values behind one name (`Val and Grad Norm: 0.016 (rel: 0.5) 0.025` of Spark), a single evaluation that no position goes with, and simulations whose iterations are no training (the energies of a self-consistent field).\n")
	for _, f := range list() {
		fmt.Fprintf(&b, "\n## %s\n\n%s", f.name, f.source)
		if f.about != "" {
			fmt.Fprintf(&b, ": %s", f.about)
		}
		b.WriteString(".\n")
		for _, e := range f.examples {
			b.WriteString("\n```\n")
			for _, line := range e.lines {
				b.WriteString(strings.ReplaceAll(strings.TrimRight(line, " "), "\x1b", "␛") + "\n")
			}
			fmt.Fprintf(&b, "```\n\ngives `%s`\n", e.want)
		}
	}
	return b.String()
}
