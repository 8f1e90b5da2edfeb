package points

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
)

// curvesAnswer is the output of `traintop curves -o json`. Scripts rely on it:
// fields are only ever added. Unknown facts are left out.
type curvesAnswer struct {
	Series   []seriesAnswer     `json:"series"`
	Problems []jsontext.Problem `json:"problems,omitempty"`
}

// seriesAnswer is one rank in one attempt.
type seriesAnswer struct {
	Job  string `json:"job"`
	Rank *int   `json:"rank,omitempty"`
	// Attempt counts from 0 and is left out for the first.
	Attempt    int             `json:"attempt,omitempty"`
	Log        string          `json:"log,omitempty"`
	TotalSteps jsontext.Number `json:"totalSteps,omitempty"`
	Points     []pointAnswer   `json:"points"`
}

type pointAnswer struct {
	// Line is that of the log, from 1, counting \n only.
	Line    int64                      `json:"line"`
	Time    *time.Time                 `json:"time,omitempty"`
	Step    *jsontext.Number           `json:"step,omitempty"`
	Epoch   *jsontext.Number           `json:"epoch,omitempty"`
	Metrics map[string]jsontext.Number `json:"metrics"`
}

// answerCurves is the answer without its points, of which there may be millions.
func answerCurves(curves []*Curve, problems []jsontext.Problem) curvesAnswer {
	answer := curvesAnswer{Series: make([]seriesAnswer, 0, len(curves)), Problems: problems}
	for _, c := range curves {
		s := seriesAnswer{
			Job: c.Job.Ref.String(), Attempt: c.attempt, Log: c.log.ID.String(), TotalSteps: jsontext.Number(c.totalSteps),
			Points: []pointAnswer{},
		}
		if c.rank >= 0 {
			s.Rank = &c.rank
		}
		answer.Series = append(answer.Series, s)
	}
	return answer
}

func answerPoint(p *curvePoint) pointAnswer {
	a := pointAnswer{
		Line: p.row.Line, Time: jsontext.Known(p.at()), Step: jsontext.Given(p.row.Step), Epoch: jsontext.Given(p.row.Epoch),
		Metrics: make(map[string]jsontext.Number, len(p.metrics)),
	}
	for _, m := range p.metrics {
		a.Metrics[m.Name] = jsontext.Number(m.Value)
	}
	return a
}

// noPoints is an empty list of points in JSON. It cannot occur inside a string:
// quotes within strings are escaped.
var noPoints = []byte(`"points": []`)

const (
	pointPrefix = "        " // before each line of a point
	// streamedSize is how much text of points is buffered before it is written.
	streamedSize = 64 << 10
)

// JSON prints the answer with the points one after the other, since
// all of them together take many times the size of the log.
func JSON(w io.Writer, curves []*Curve, problems []jsontext.Problem) error {
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

func printPointsJSON(w io.Writer, c *Curve) error {
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
