package smi

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Read returns the readings in an answer, each with the pod, container and node in which
// the tool ran. A GPU's index counts from 0 inside the pod. trouble reports in one line
// why there are none, or what could not be read; "" is none.
func Read(a actions.Answer) (readings []train.GPUReading, trouble string) {
	if why := failed(a); why != "" {
		return nil, why
	}
	origin := metrics.Origin{Node: a.Target.Node, At: a.Began.Add(a.Took)}
	answer, err := metrics.Read(bytes.NewReader(a.Stdout), origin)
	switch {
	case answer.Format == metrics.NoFormat:
		return nil, name(a) + " printed nothing that can be read as GPUs" + quoted(a.Stdout)
	case err != nil:
		trouble = fmt.Sprintf("reading what %s printed: %v", name(a), err)
	}
	for _, problem := range answer.Problems {
		trouble = problem.Text
		break
	}
	for _, r := range answer.Readings {
		readings = append(readings, inPod(r, a, origin.At))
	}
	if len(readings) == 0 && trouble == "" {
		trouble = name(a) + " names no GPU"
	}
	return readings, trouble
}

func inPod(r train.GPUReading, a actions.Answer, at time.Time) train.GPUReading {
	r.GPU.Namespace, r.GPU.Pod, r.GPU.Container = a.Target.Namespace, a.Target.Pod, a.Target.Name
	r.GPU.Node, r.GPU.Host = a.Target.Node, ""
	r.Source = train.FromTool
	if r.At.IsZero() || !at.IsZero() {
		r.At = at // a tool's own time is from another clock
	}
	return r
}

// failed returns why an answer has no text to read, "" if it has one.
func failed(a actions.Answer) string {
	switch {
	case a.Failure != nil:
		return a.Failure.Text
	case a.Exit == 127:
		return fmt.Sprintf("the container has no %s", name(a))
	case a.Exit != 0 && len(bytes.TrimSpace(a.Stdout)) == 0:
		return fmt.Sprintf("%s ended with exit code %d%s", name(a), a.Exit, quoted(a.Stderr))
	}
	return ""
}

// name is the program that ran.
func name(a actions.Answer) string {
	if len(a.Command) == 0 {
		return "the tool"
	}
	if a.Command[0] == "sh" && len(a.Command) > 2 {
		program, _, _ := strings.Cut(a.Command[2], " ")
		return program
	}
	return a.Command[0]
}

// quoted is the first line of a text, for the end of a sentence.
func quoted(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text[:min(len(text), 400)])), "\n")
	if line == "" {
		return ""
	}
	return fmt.Sprintf(": %q", line)
}

// Measured is the store event for an answer, nil for none. It leaves out GPUs without a
// UUID or an address on the bus: an index that counts from 0 in the pod would match
// another GPU of the node. Each pod is a source of its own, since it sees no other pod's
// GPUs.
func Measured(a actions.Answer, readings []train.GPUReading, every time.Duration) *store.Measured {
	m := &store.Measured{Source: Source(a), Node: a.Target.Node, Every: every}
	for _, r := range readings {
		if r.GPU.HasUUID() || r.GPU.Bus != "" {
			r.GPU.Index = ""
			m.Readings = append(m.Readings, r)
		}
	}
	if len(m.Readings) == 0 {
		return nil
	}
	return m
}

// Source names the source of the readings: "nvidia-smi in the pod ml/bert-worker-0".
func Source(a actions.Answer) string {
	return name(a) + " in the pod " + a.Target.Namespace + "/" + a.Target.Pod
}
