package comparison

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

func redacted(text string) string { return redact.Text(text) }

// Unknown is what a table prints for an unknown value.
const Unknown = "-"

// line is a text as one line of a terminal, without secrets.
func line(text string) string { return termtext.Line(redacted(text)) }

// BestMark marks the best value of a row where there are no colours.
const BestMark = "*"

// Table writes one line for each fact and a column for each run.
func (c *Comparison) Table(w io.Writer) error {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 8, 3, ' ', 0)
	cells := []string{"RUN"}
	for _, name := range c.Names() {
		cells = append(cells, line(name))
	}
	fmt.Fprintln(table, strings.Join(cells, "\t"))
	group := GroupState
	for _, row := range c.Rows() {
		if row.Group != group {
			group = row.Group
			fmt.Fprintln(table, strings.Repeat("\t", len(c.Runs)))
		}
		cells = append(cells[:0], line(row.Title))
		for _, cell := range row.Cells {
			cells = append(cells, printed(cell, BestMark))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	_ = table.Flush() // a strings.Builder accepts everything
	for row := range strings.Lines(text.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(row, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func printed(cell Cell, mark string) string {
	switch {
	case cell.Text == "":
		return Unknown
	case cell.Best:
		return line(cell.Text) + mark
	}
	return line(cell.Text)
}

// Markdown writes a table of Markdown; the best values are bold.
func (c *Comparison) Markdown(w io.Writer) error {
	var b strings.Builder
	write := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	head, rule := []string{"run"}, []string{"---"}
	for _, name := range c.Names() {
		head, rule = append(head, escaped(name)), append(rule, "---:")
	}
	write(head)
	write(rule)
	for _, row := range c.Rows() {
		cells := []string{escaped(row.Title)}
		for _, cell := range row.Cells {
			text := ""
			if cell.Text != "" {
				text = escaped(cell.Text)
			}
			if cell.Best {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
		}
		write(cells)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escaped is a text in a cell of a table of Markdown.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(line(text))
}

// CSV writes one row for each run and a column for each fact, with numbers in
// full.
func (c *Comparison) CSV(w io.Writer) error {
	rows := c.Rows()
	table := csv.NewWriter(w)
	head := []string{"job"}
	for _, row := range rows {
		head = append(head, line(row.Title))
	}
	if err := table.Write(head); err != nil {
		return err
	}
	for i := range c.Runs {
		cells := []string{line(c.Runs[i].Job.Ref.String())}
		for _, row := range rows {
			cells = append(cells, line(row.Cells[i].Raw))
		}
		if err := table.Write(cells); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}
