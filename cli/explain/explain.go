// Package explain explains how a line of a log was read: for `curves --explain`.
package explain

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Place is FILE:LINE of the flag.
type Place struct {
	File string
	Line int64
}

// Parse reads FILE:LINE.
func Parse(text string) (Place, error) {
	at := strings.LastIndexByte(text, ':')
	if at < 1 {
		return Place{}, fmt.Errorf("%q is not FILE:LINE, as train.log:120", termtext.Line(text))
	}
	line, err := strconv.ParseInt(text[at+1:], 10, 64)
	if err != nil || line < 1 {
		return Place{}, fmt.Errorf("%q is no number of a line; FILE:LINE is as train.log:120", termtext.Line(text[at+1:]))
	}
	return Place{File: text[:at], Line: line}, nil
}

// Print writes how the line was read: what was taken off, which reader took it,
// what it gives, or why it gives nothing.
func Print(out io.Writer, place Place, o formats.Options) error {
	file, err := localfile.Open(place.File)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // read only
	text, err := dump.LogText(file)
	if err != nil {
		return fmt.Errorf("%s: %w", termtext.Line(place.File), err)
	}
	e, err := formats.Explain(text, place.Line, o)
	if err != nil {
		return fmt.Errorf("%s: %w", termtext.Line(place.File), err)
	}
	print := func(label, text string) {
		if text != "" && err == nil {
			_, err = fmt.Fprintf(out, "%-8s %s\n", label, termtext.Line(redact.Text(text)))
		}
	}
	print("line", e.Line)
	print("prefix", e.Prefix)
	if e.Learned != "" {
		print("", "learned from this log: "+e.Learned)
	}
	print("reader", e.Reader)
	for i := range e.Samples {
		print("point", point(&e.Samples[i]))
	}
	print("no point", e.Why)
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// point is "step 3, epoch 1: loss 2.5, lr 0.001".
func point(s *train.Sample) string {
	var place, metrics []string
	if s.HasStep {
		place = append(place, "step "+number(s.Step))
	}
	if s.HasEpoch {
		place = append(place, "epoch "+number(s.Epoch))
	}
	if s.Rank >= 0 {
		place = append(place, "rank "+strconv.Itoa(s.Rank))
	}
	for _, m := range s.Metrics {
		metrics = append(metrics, m.Name+" "+number(m.Value))
	}
	return strings.TrimPrefix(strings.Join(place, ", ")+": "+strings.Join(metrics, ", "), ": ")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
