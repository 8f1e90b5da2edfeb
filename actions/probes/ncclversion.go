package probes

import (
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
)

const ncclProgram = `
import json
o = {}
try:
    import torch
    o["torch"] = str(torch.__version__)
    v = torch.cuda.nccl.version()
    if isinstance(v, int):
        v = (v // 1000, v // 100 % 10, v % 100) if v < 10000 else (v // 10000, v // 100 % 100, v % 100)
    o["nccl"] = ".".join(str(x) for x in v)
except BaseException as e:
    o["error"] = "%s: %s" % (type(e).__name__, e)
print("\n" + json.dumps(o))
`

// ncclScript lists libraries of NCCL if there is no Python.
const ncclScript = `ls -1 /usr/lib/*/libnccl.so.* /usr/lib64/libnccl.so.* /usr/local/lib/libnccl.so.* /usr/local/nccl*/lib/libnccl.so.* /opt/*/lib/libnccl.so.* 2>/dev/null; exit 0`

func ncclVersion() Probe {
	return Probe{
		ID: "nccl-version", Title: "NCCL version",
		About:   "Which NCCL PyTorch was built with or has loaded; ranks with different versions may hang. Imports torch.",
		Timeout: time.Minute,
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return append(python(ncclProgram), shell(ncclScript))
		},
		Read: readNCCL,
	}
}

func readNCCL(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	var said struct{ Torch, NCCL, Error string }
	r := Result{State: Neutral, Detail: detail(a)}
	switch {
	case lastJSON(a.Stdout, &said) && said.NCCL != "":
		r.Line = clean("NCCL " + said.NCCL + ", torch " + said.Torch)
		r.Key = clean(said.NCCL)
	case said.Error != "":
		r.State, r.Line = Unclear, masked(clean("PyTorch does not tell: "+said.Error))
	case len(a.Command) > 0 && a.Command[0] == "sh":
		r.Line, r.Key = libraries(a.Stdout)
		if r.Key == "" {
			r.State = Unclear
		}
	default:
		return unread(a)
	}
	return r
}

// libraries returns the versions in the names of files: libnccl.so.2.21.5.
func libraries(text []byte) (line, key string) {
	longest := ""
	for path := range lines(text) {
		if _, version, is := strings.Cut(path, "libnccl.so."); is && len(version) > len(longest) {
			longest = version
		}
	}
	if longest == "" {
		return "no library of NCCL where libraries are, and no Python to ask", ""
	}
	return "NCCL " + longest, longest
}
