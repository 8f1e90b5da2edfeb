package signatures

import (
	"testing"
	"time"
)

// An error that a sample of data, or an answer of a model, quotes is nobody's; one that a
// logger writes into a record is.
func TestErrorsInJSONRecords(t *testing.T) {
	const trace = `Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nRuntimeError: CUDA error: an illegal memory access was encountered`
	const words = `RuntimeError: CUDA error: an illegal memory access was encountered`
	for line, want := range map[string]string{
		`{"prompt":"why does it fail?","completion":"` + trace + `","reward":0.4}`:                                    "",
		`2026-11-29T08:00:00Z {"prompt":"why does it fail?","completion":"` + trace + `","reward":0.4}`:               "",
		`[rank0]: {"step": 3, "question": "what is wrong", "answer": "` + words + `"}`:                                "",
		`{"messages": [{"role": "user", "content": "` + words + `"}], "id": 7}`:                                       "",
		`{"text": "` + words + `", "label": 1}`:                                                                       "",
		`{"level": "info", "message": "a sample", "completion": "` + words + `"}`:                                     "",
		`{"level": "error", "worker": 3, "what": "` + words + `"}`:                                                    "illegal-memory-access",
		`{"levelname": "INFO", "message": "` + words + `", "rank": 3}`:                                                "illegal-memory-access",
		`{"time": "2026-11-29T08:00:00Z", "msg": "` + words + `"}`:                                                    "illegal-memory-access",
		`{"severity": "ERROR", "textPayload": "` + words + `"}`:                                                       "illegal-memory-access",
		`{"event": "training died", "exc_info": "` + trace + `", "step": 3}`:                                          "illegal-memory-access",
		`{"step": 3, "exception": {"type": "RuntimeError", "value": "` + words + `"}}`:                                "illegal-memory-access",
		`{"step": 3, "exception.stacktrace": "` + trace + `"}`:                                                        "illegal-memory-access",
		`{"extra_info": {"errorMessage": "` + words + `"}, "step": 3}`:                                                "illegal-memory-access",
		`{"text": "` + words + `\n", "record": {"level": {"name": "ERROR"}, "message": "it died"}}`:                   "illegal-memory-access",
		`RuntimeError: CUDA error: an illegal memory access was encountered {"rank": "of the first node", "step": 3}`: "illegal-memory-access",
		`{"event": "line", "data": "` + words + `\n", "pipe": "stderr"}`:                                              "illegal-memory-access",
		`{"ts": "2026-11-29 08:00:00", "text": "` + words + `"}`:                                                      "illegal-memory-access", // a time and a text are a program's
		`{"@timestamp": "2026-11-29T08:00:00Z", "output": "` + words + `"}`:                                           "illegal-memory-access",
		`{"timestamp": "2026-11-29T08:00:00Z", "text": "` + words + `", "url": "https://example.com"}`:                "", // a page of the web
		`{"time": "2026-11-29T08:00:00Z", "response": "` + words + `"}`:                                               "",
		`{"completion": "` + words + `"}`:                                                                             "illegal-memory-access", // nothing shows what it is
	} {
		var got string
		s := NewScanner(InLog)
		for _, hit := range append(s.Line(1, time.Time{}, []byte(line)), s.End()...) {
			got = string(hit.Cause)
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}
