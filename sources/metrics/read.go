package metrics

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
)

// headSize is how many bytes of a text Detect gets.
const headSize = 64 << 10

// Read reads one text of any format. It returns an error if the text is cut off or
// has no known format; the answer contains what was read until then.
func Read(in io.Reader, origin Origin) (Answer, error) {
	text := bufio.NewReaderSize(in, headSize)
	head, err := text.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return Answer{}, err
	}
	if format := machineFormat(head); format != NoFormat {
		return readMachines(format, text, origin)
	}
	return readPlain(text, origin)
}

// readPlain reads what one machine printed.
func readPlain(text *bufio.Reader, origin Origin) (Answer, error) {
	head, err := text.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return Answer{}, err
	}
	format, clean := detect(head)
	var kept []byte
	if isToolFormat(format) {
		kept = bytes.Clone(head)
	}
	var in io.Reader = text
	if clean != nil {
		in = &pasted{text: text, clean: clean}
	}
	a, err := ReadAs(format, in, origin)
	if kept != nil && len(a.Readings) == 0 && a.Note == "" {
		if within, found := InLog(kept); found { // a program that quotes several tools
			return within, nil
		}
	}
	return a, err
}

// isToolFormat reports whether a tool prints a format. A program that quotes a tool has its
// title, too.
func isToolFormat(format Format) bool {
	switch format {
	case NoFormat, Exposition, PrometheusAPI, ResourceAPI, ServerStatus, ServerText, Note:
		return false
	}
	return true
}

// ReadAs reads a text of a known format.
func ReadAs(format Format, in io.Reader, origin Origin) (Answer, error) {
	a := Answer{Format: format}
	if format == Exposition {
		err := readExposition(in, &a, origin)
		return a, err
	}
	text, cut := readWhole(in)
	if err := readText(format, text, &a, origin); err != nil {
		return a, err
	}
	return a, cut
}

func readText(format Format, text []byte, a *Answer, origin Origin) error {
	text = withoutWarnings(text)
	switch format {
	case Note:
		a.Readings = inNote(text).Readings
		return nil
	case PrometheusAPI:
		return readPrometheus(text, a, origin)
	case ResourceAPI:
		return readUsage(text, a)
	case ServerStatus:
		return readStatus(text, a)
	case ServerText:
		return readServerText(string(bytes.ToValidUTF8(text, []byte("\uFFFD"))), a)
	}
	if known, err := tools.Read(format, text, a, origin); known {
		return err
	}
	return errors.New("no metrics that are known here: neither the Prometheus text format nor a tool's output")
}

// readStatus reads the API server's error that came instead of an exporter's answer.
func readStatus(text []byte, a *Answer) error {
	var status struct {
		Message, Reason string
		Code            int
	}
	if err := json.Unmarshal(text, &status); err != nil {
		return err
	}
	a.AddProblem(0, "the API server answered with an error instead of metrics: %s (%s, %d)", readings.OneLine(status.Message), readings.OneLine(status.Reason), status.Code)
	return nil
}
