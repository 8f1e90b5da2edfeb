package rule

import (
	"encoding/json"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// hitInMessage returns the most informative line of a container's termination
// message: the kubelet puts the last lines of the log there, or what the
// program wrote into /dev/termination-log. It returns nil for none.
func hitInMessage(f *Failure) *train.LogHit {
	scanner := signatures.NewScanner(signatures.InLog)
	var best *train.LogHit
	take := func(hits []train.LogHit) {
		for i := range hits {
			hit := hits[i]
			if hit.Cause != "" && hit.Cause != logfindings.TrainsOnCPU && (best == nil || isMoreInformative(&hit, best)) {
				hit.Time = f.At
				best = &hit
			}
		}
	}
	number := int64(0)
	for line := range strings.Lines(messageText(f.Message)) {
		number++
		take(scanner.Line(number, f.At, []byte(strings.TrimRight(line, "\r\n"))))
	}
	take(scanner.End())
	return best
}

// messageText returns the text of a termination message. PyTorch's elastic
// agent writes an object (torch.distributed.elastic.multiprocessing.errors): a
// message, or one that contains the exception and its traceback.
func messageText(message string) string {
	type exception struct {
		Message   string `json:"message"`
		ExtraInfo struct {
			Callstack string `json:"py_callstack"`
		} `json:"extraInfo"`
	}
	var outer struct {
		Message json.RawMessage `json:"message"`
	}
	if json.Unmarshal([]byte(message), &outer) != nil || len(outer.Message) == 0 {
		return message
	}
	var plain string
	if json.Unmarshal(outer.Message, &plain) == nil {
		return plain
	}
	var inner exception
	if json.Unmarshal(outer.Message, &inner) != nil {
		return message
	}
	if stack := strings.TrimSpace(inner.ExtraInfo.Callstack); strings.Contains(stack, "\n") {
		return stack
	}
	return inner.Message
}
