package probes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

// cudaProgram queries PyTorch; it makes no CUDA context and allocates no GPU memory.
const cudaProgram = `
import json, sys
o = {"python": sys.version.split()[0]}
try:
    import torch, warnings
except BaseException as e:
    o["missing"] = "%s: %s" % (type(e).__name__, e)
else:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        o["torch"] = str(torch.__version__)
        o["cuda"] = torch.version.cuda
        o["hip"] = getattr(torch.version, "hip", None)
        o["built"] = bool(torch.backends.cuda.is_built())
        try:
            o["available"] = bool(torch.cuda.is_available())
            o["devices"] = int(torch.cuda.device_count())
        except BaseException as e:
            o["error"] = "%s: %s" % (type(e).__name__, e)
        o["warnings"] = [str(w.message) for w in said][:5]
print("\n" + json.dumps(o))
`

func cudaVisible() Probe {
	return Probe{
		ID: "cuda-visible", Title: "CUDA in PyTorch",
		About:    "How many GPUs PyTorch sees, and with which CUDA; importing torch takes some hundred MiB of memory for some seconds.",
		Timeout:  time.Minute,
		Commands: func(*store.Snapshot, actions.Target) [][]string { return python(cudaProgram) },
		Read:     readCUDA,
	}
}

func readCUDA(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	var said struct {
		Python, Missing, Torch, CUDA, HIP, Error string
		Built, Available                         bool
		Devices                                  int
		Warnings                                 []string
	}
	if !lastJSON(a.Stdout, &said) {
		return unread(a)
	}
	r := Result{Detail: detail(a)}
	runtime := "CUDA " + said.CUDA
	if said.HIP != "" {
		runtime = "ROCm " + said.HIP
	}
	switch {
	case said.Missing != "":
		r.State, r.Line = Unclear, "Python "+said.Python+" cannot import torch: "+said.Missing
	case !said.Built:
		r.State, r.Line, r.Key = Bad, "torch "+said.Torch+" was built without CUDA", "built without CUDA"
	case said.Available && said.Devices > 0:
		r.State, r.Line = Good, fmt.Sprintf("%s, torch %s, %s", termtext.Count(said.Devices, "GPU"), said.Torch, runtime)
		r.Key = r.Line
	default:
		why := strings.Join(append(said.Warnings, said.Error), " ")
		r.State, r.Key = Bad, "no GPU"
		r.Line = fmt.Sprintf("torch %s (%s) sees no GPU%s", said.Torch, runtime, colon(strings.TrimSpace(why)))
	}
	r.Line, r.Key = masked(clean(r.Line)), clean(r.Key)
	return r
}

// lastJSON decodes the last line that is an object: imports may print before it.
func lastJSON(text []byte, into any) bool {
	const most = 64 << 10
	if len(text) > most {
		text = text[len(text)-most:]
	}
	for tries := 0; len(text) > 0 && tries < 100; tries++ {
		text = bytes.TrimRight(text, "\r\n \t")
		at := bytes.LastIndexByte(text, '\n')
		line := text[at+1:]
		if bytes.HasPrefix(line, []byte("{")) && json.Unmarshal(line, into) == nil {
			return true
		}
		text = text[:max(at, 0)]
	}
	return false
}
