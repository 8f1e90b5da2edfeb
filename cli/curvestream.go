package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/traintop/traintop/cli/jsontext"
)

// noPoints is an empty list of points in JSON. It cannot occur inside a string:
// quotes within strings are escaped.
var noPoints = []byte(`"points": []`)

const (
	pointPrefix = "        " // before each line of a point
	// streamedSize is how much text of points is buffered before it is written.
	streamedSize = 64 << 10
)

// printCurvesJSON prints the answer with the points one after the other, since
// all of them together take many times the size of the log.
func printCurvesJSON(w io.Writer, curves []*curve, problems []problemAnswer) error {
	text, err := jsontext.Text(answerCurves(curves, problems))
	if err != nil {
		return err
	}
	for _, c := range curves {
		before, after, _ := bytes.Cut(text, noPoints)
		if _, err := fmt.Fprintf(w, "%s\"points\": [", before); err != nil {
			return err
		}
		if err := printPointsJSON(w, c); err != nil {
			return err
		}
		if text = append([]byte("]"), after...); len(c.points) > 0 {
			text = append([]byte("\n      ]"), after...)
		}
	}
	_, err = w.Write(text)
	return err
}

func printPointsJSON(w io.Writer, c *curve) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent(pointPrefix, "  ")
	encoder.SetEscapeHTML(false)
	between := "\n"
	for p := range c.each() {
		text.WriteString(between + pointPrefix)
		if err := encoder.Encode(answerPoint(p)); err != nil {
			return fmt.Errorf("writing the answer as JSON: %w", err)
		}
		text.Truncate(text.Len() - 1) // the encoder ends with \n
		if between = ",\n"; text.Len() < streamedSize {
			continue
		}
		if _, err := w.Write(jsontext.Safe(text.Bytes())); err != nil {
			return err
		}
		text.Reset()
	}
	_, err := w.Write(jsontext.Safe(text.Bytes()))
	return err
}
