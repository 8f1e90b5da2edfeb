package probes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

// stackScript prints, for every process that runs Python, the kernel's state of it and, if
// py-spy is there, its stack. --nonblocking does not stop the process. A trainer can
// change its command line (setproctitle), so the script checks the executable if it is
// readable.
const stackScript = `
n=0
spy=$(command -v py-spy 2>/dev/null)
for d in /proc/[0-9]*; do
  p=${d#/proc/}
  c=$(tr '\0\n' '  ' < "$d/cmdline" 2>/dev/null | cut -c 1-300)
  e=$(readlink "$d/exe" 2>/dev/null)
  case "${e:-$c}" in *python*) ;; *) continue;; esac
  s=$(sed -n 's/^State:[[:space:]]*\([A-Z]\).*/\1/p' "$d/status" 2>/dev/null)
  w=$(cat "$d/wchan" 2>/dev/null)
  echo "@process|$p|$s|$w|$c"
  [ -n "$spy" ] && py-spy dump --nonblocking --pid "$p" 2>&1
  n=$((n+1))
  [ "$n" -ge 64 ] && break
done
[ -n "$spy" ] || echo "@no py-spy"
echo "@end"
`

func pythonStack() Probe {
	return Probe{
		ID: "python-stack", Title: "Python stack",
		About:    "Where the trainer of each rank stands, by py-spy where it is in the image, without stopping it; without py-spy the state of its processes.",
		Timeout:  time.Minute,
		Commands: func(*store.Snapshot, actions.Target) [][]string { return [][]string{shell(stackScript)} },
		Read:     readStacks,
	}
}

// howToSpy explains how to get a stack if the image has no py-spy.
const howToSpy = "py-spy is not in the image: put it there (pip install py-spy), or use a debug container that shares the processes and may trace them (SYS_PTRACE)"

// pythonProcess is one Python process of a container.
type pythonProcess struct {
	pid, state, wait, command string
	// frames are those of its main thread, the innermost first.
	frames []string
	// trouble is the error of py-spy.
	trouble string
}

func readStacks(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	processes, spy, whole := readPythons(a.Stdout)
	r := Result{State: Neutral, Detail: detail(a)}
	if len(processes) == 0 {
		if !whole {
			return unread(a)
		}
		r.State, r.Line = Unclear, "no Python runs in this container"
		return r
	}
	if stuck := uninterruptible(processes); stuck != "" {
		r.State, r.Line, r.Key = Bad, stuck, "waits for the kernel"
		return r
	}
	trainers := slices.DeleteFunc(slices.Clone(processes), func(p pythonProcess) bool { return len(p.frames) == 0 || p.helper() })
	switch {
	case !spy:
		r.State, r.Line = Unclear, termtext.Count(len(processes), "Python process")+", none waits for the kernel; "+howToSpy
	case len(trainers) == 0:
		r.State, r.Line = Unclear, "py-spy tells nothing"+colon(processes[0].trouble)
		if strings.Contains(strings.ToLower(r.Line), "permi") {
			r.Line += "; the container needs the capability SYS_PTRACE"
		}
	default:
		r.Line, r.Key = where(trainers)
	}
	return r
}

// uninterruptible names a process that waits for a disk, a file server or a driver: only
// the kernel can end that wait.
func uninterruptible(processes []pythonProcess) string {
	for _, p := range processes {
		if p.state != "D" {
			continue
		}
		in := ""
		if p.wait != "" && p.wait != "0" {
			in = " in " + p.wait
		}
		return fmt.Sprintf("process %s waits for the kernel%s (state D): storage or a driver does not answer", p.pid, in)
	}
	return ""
}

// helper reports whether a process trains nothing: the agent of torchrun, a worker of a
// data loader, the tracker of multiprocessing.
func (p pythonProcess) helper() bool {
	return slices.ContainsFunc(p.frames, func(frame string) bool {
		for _, place := range []string{"torch/distributed/elastic/agent", "torch/distributed/run.py", "_worker_loop (torch/utils/data", "multiprocessing/resource_tracker", "multiprocessing/forkserver", "torch/_inductor/compile_worker"} {
			if strings.Contains(frame, place) {
				return true
			}
		}
		return false
	})
}

// where counts the trainers by frame: "8 in all_reduce
// (torch/distributed/distributed_c10d.py:2219)". The key is the frames alone.
func where(trainers []pythonProcess) (line, key string) {
	counts := map[string]int{}
	for _, p := range trainers {
		counts[p.frames[0]]++
	}
	var frames, parts []string
	for frame := range counts {
		frames = append(frames, frame)
	}
	slices.Sort(frames)
	for _, frame := range frames {
		if len(trainers) == 1 {
			parts = append(parts, "in "+frame)
			continue
		}
		parts = append(parts, fmt.Sprintf("%d in %s", counts[frame], frame))
	}
	return strings.Join(parts, ", "), strings.Join(frames, "\n")
}

// The output of py-spy 0.3 and 0.4: a thread with its name, then its frames.
var (
	spyThread = regexp.MustCompile(`^Thread \S+ \(([^)]*)\)(?:: "(.*)")?$`)
	spyFrame  = regexp.MustCompile(`^\s{4,}(\S.*)$`)
)

func readPythons(text []byte) (processes []pythonProcess, spy, whole bool) {
	spy = true
	main := false
	for line := range lines(text) {
		switch {
		case strings.HasPrefix(line, "@process|"):
			parts := strings.SplitN(line, "|", 5)
			if len(parts) == 5 && len(processes) < maxDetail {
				processes = append(processes, pythonProcess{pid: parts[1], state: parts[2], wait: parts[3], command: masked(parts[4])})
			}
			main = false
		case line == "@no py-spy":
			spy = false
		case line == "@end":
			whole = true
		case len(processes) > 0:
			main = processes[len(processes)-1].add(line, main)
		}
	}
	return processes, spy, whole
}

// add parses a line of py-spy; main is whether it is about the main thread. If no thread
// has that name, the first one counts as main.
func (p *pythonProcess) add(line string, main bool) bool {
	if thread := spyThread.FindStringSubmatch(line); thread != nil {
		if thread[2] == "MainThread" {
			p.frames = nil
			return true
		}
		return thread[2] == "" && len(p.frames) == 0
	}
	if frame := spyFrame.FindStringSubmatch(line); frame != nil && main && len(p.frames) < maxDetail {
		p.frames = append(p.frames, masked(frame[1]))
		return true
	}
	if p.trouble == "" && strings.HasPrefix(line, "Error") {
		p.trouble = masked(line)
	}
	return main && line != ""
}
