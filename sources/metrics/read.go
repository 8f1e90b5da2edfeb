package metrics

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
	format := Detect(head)
	if isPasted(head) {
		return ReadAs(format, &pasted{text: text}, origin)
	}
	return ReadAs(format, text, origin)
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
	case PrometheusAPI:
		return readPrometheus(text, a, origin)
	case ResourceAPI:
		return readUsage(text, a)
	case ServerStatus:
		return readStatus(text, a)
	case ROCmJSON:
		return readROCmJSON(text, a, origin)
	case AMDSMIJSON:
		return readAMDSMIJSON(text, a, origin)
	case NeuronMonitor:
		return readNeuronMonitor(text, a, origin)
	case NVTop:
		return readNVTop(text, a, origin)
	}
	plain := string(bytes.ToValidUTF8(text, []byte("\uFFFD")))
	switch format {
	case SMITable:
		return readSMITable(plain, a, origin)
	case SMIList:
		return readSMIList(plain, a, origin)
	case SMIDmon:
		return readDmon(plain, a, origin)
	case SMIPmon:
		a.Note = "processes on GPUs, which tell nothing of a whole GPU"
		return nil
	case SMICSV:
		return readCSV(plain, a, origin)
	case SMIDetails:
		return readSMIDetails(plain, a, origin)
	case SMIXML:
		return readSMIXML(plain, a, origin)
	case SMITopology:
		return readTopo(plain, a)
	case SMIError:
		return readSMIError(plain, a)
	case ROCmText:
		return readROCmText(plain, a, origin)
	case ROCmRows:
		return readROCmRows(plain, a, origin)
	case ServerText:
		return readServerText(plain, a)
	case ROCmTable:
		return readROCmTable(plain, a, origin)
	case AMDSMIMonitor:
		return readAMDMonitor(plain, a, origin)
	case AMDSMIText:
		return readAMDSMIText(plain, a, origin)
	case TPUInfo:
		return readTPUInfo(plain, a, origin)
	case AMDSMITable:
		return readAMDTable(plain, a, origin)
	case GPUStat:
		return readGPUStat(plain, a, origin)
	case MXSMI:
		return readMXSMI(plain, a, origin)
	case MThreadsGMI:
		return readMThreads(plain, a, origin)
	case NPUSMI:
		return readNPUSMI(plain, a, origin)
	case XPUDump:
		return readXPUDump(plain, a, origin)
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
	a.problem(0, "the API server answered with an error instead of metrics: %s (%s, %d)", oneLine(status.Message), oneLine(status.Reason), status.Code)
	return nil
}
