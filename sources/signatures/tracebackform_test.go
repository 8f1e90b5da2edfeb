package signatures

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// TestTracebackForms checks that the exception of a traceback is found whatever is
// around its lines: nothing after its name, a logger's prefix, a field of JSON, an
// exception group, the box of rich.
func TestTracebackForms(t *testing.T) {
	for name, c := range map[string]struct{ text, want, frame string }{
		"no message": {`Traceback (most recent call last):
  File "/app/train.py", line 9, in main
    assert x.shape[0] == y.shape[0]
AssertionError`, "AssertionError", "train.py:9 in main"},
		"times": {`2026-05-01 10:00:20,001 Traceback (most recent call last):
2026-05-01 10:00:20,002   File "/app/train.py", line 12, in step
2026-05-01 10:00:20,002     main()
2026-05-01 10:00:21,013 ZeroDivisionError: division by zero`, "ZeroDivisionError: division by zero", "train.py:12 in step"},
		"level and logger": {`2026-05-01T10:00:20.001Z ERROR trainer: Traceback (most recent call last):
2026-05-01T10:00:20.001Z ERROR trainer:   File "/app/train.py", line 12, in step
2026-05-01T10:00:20.001Z ERROR trainer:     main()
2026-05-01T10:00:20.002Z ERROR trainer: AssertionError`, "AssertionError", "train.py:12 in step"},
		"lines of JSON": {`{"level": "ERROR", "message": "Traceback (most recent call last):", "n": 6}
{"level": "ERROR", "message": "  File \"/app/train.py\", line 12, in step", "n": 7}
{"level": "ERROR", "message": "    main()", "n": 8}
{"level": "ERROR", "message": "AssertionError: bad shape", "n": 9}`, "AssertionError: bad shape", "train.py:12 in step"},
		"lines of CSV": {`"ERROR","Traceback (most recent call last):"
"ERROR","  File ""/app/train.py"", line 12, in step"
"ERROR","AssertionError: bad shape"`, "AssertionError: bad shape", ""},
		"prefix once": {`ERROR - Traceback (most recent call last):
  File "/app/train.py", line 12, in step
    main()
KeyError: 'x'`, "KeyError: 'x'", "train.py:12 in step"},
		"structlog":          {`{"event": "training failed", "level": "error", "exception": "Traceback (most recent call last):\n  File \"/app/train.py\", line 40, in run\n    batch = next(it)\nStopIteration"}`, "StopIteration", "train.py:40 in run"},
		"python-json-logger": {`{"levelname": "ERROR", "message": "unhandled", "exc_info": "Traceback (most recent call last):\n  File \"/app/train.py\", line 88, in <module>\n    run()\nValueError: expected \"rgb\", got 1", "rank": 3}`, `ValueError: expected "rgb", got 1`, "train.py:88"},
		"loguru":             {`{"text": "boom\nTraceback (most recent call last):\n\n  File \"/app/train.py\", line 7, in f\n    return d['x']\n           └ {}\n\nKeyError: 'x'\n", "record": {"exception": {"type": "KeyError"}}}`, "KeyError: 'x'", "train.py:7 in f"},
		"repr":               {`failed: 'Traceback (most recent call last):\n  File "/app/train.py", line 7, in f\n    g()\nRuntimeError: shapes differ\n'`, "RuntimeError: shapes differ", "train.py:7 in f"},
		"group": {`  + Exception Group Traceback (most recent call last):
  |   File "/app/train.py", line 5, in <module>
  |     asyncio.run(main())
  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/train.py", line 20, in load
    |     raise ValueError("shard 7 has no samples")
    | ValueError: shard 7 has no samples
    +------------------------------------`, "ValueError: shard 7 has no samples", "train.py:20 in load"},
		"rich": {`╭───────────────────── Traceback (most recent call last) ──────────────────────╮
│ /app/train.py:12 in main                                                     │
│                                                                              │
` + strings.Repeat("│   10     raise RuntimeError(\"CUDA out of memory\")                            │\n", 20) + `╰──────────────────────────────────────────────────────────────────────────────╯
AssertionError`, "AssertionError", "train.py:12 in main"},
		"rich without its top": {`│   578 │   if process.returncode != 0:                                              │
│ ❱ 580 │   │   │   raise subprocess.CalledProcessError(returncode=process.returncode) │
│   581 │   │   else:                                                                  │
╰──────────────────────────────────────────────────────────────────────────────────────╯
ShardError: 3 of 8`, "ShardError: 3 of 8", ""},
		"a name of the program's own": {`Traceback (most recent call last):
  File "/app/train.py", line 30, in step
    raise ConfigProblem("incomplete") from e
ConfigProblem: incomplete`, "ConfigProblem: incomplete", "train.py:30 in step"},
		"in a module": {`Traceback (most recent call last):
  File "/app/train.py", line 30, in step
    load()
    ^^^^^^
zarr.storage.Moved: no array`, "zarr.storage.Moved: no array", "train.py:30 in step"},
	} {
		hits := scanned(c.text)
		if len(hits) != 1 || hits[0].Cause != "python-exception" || hits[0].Text != c.want || hits[0].Frame != c.frame {
			t.Errorf("%s: got %+v, want %q in %s", name, hits, c.want, c.frame)
		}
	}
}

// TestCutBox checks that a box of rich whose top and whose exception are not in the log is
// a traceback that was cut off.
func TestCutBox(t *testing.T) {
	s := NewScanner(InAnyText)
	for i, line := range []string{"│   19 │   │   CUDASetup.get_instance().print_log_stack() │", "│ ❱ 20 │   │   raise RuntimeError(''' │", "│   21 │   │   CUDA Setup did not fit │"} {
		s.Line(int64(i+1), time.Time{}, []byte(line))
	}
	if hits := s.End(); len(hits) != 1 || hits[0].Signature != cutTraceback || hits[0].Line != 2 {
		t.Errorf("got %+v", hits)
	}
}

// TestLinesBetweenFrames checks that lines of other processes do not end a traceback.
func TestLinesBetweenFrames(t *testing.T) {
	hits := scanned(`Traceback (most recent call last):
  File "/app/train.py", line 30, in step
    load()
DataLoader: 4 workers
GlobalStep: 30
ValueError: no data`)
	if len(hits) != 1 || hits[0].Text != "ValueError: no data" {
		t.Errorf("got %+v", hits)
	}
}

// TestEscapedTracebackOfARank checks that the rank before a line of JSON is the
// traceback's rank.
func TestEscapedTracebackOfARank(t *testing.T) {
	hits := scanned(`[rank3]: {"exc_info": "Traceback (most recent call last):\n  File \"/app/a.py\", line 1, in f\n    g()\nTypeError: bad"}`)
	if len(hits) != 1 || hits[0].Rank != 3 || hits[0].Text != "TypeError: bad" || hits[0].Cause != train.Cause("python-exception") {
		t.Errorf("got %+v", hits)
	}
}
