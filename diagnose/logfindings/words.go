package logfindings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Words explain a cause to users, on screens and in docs/causes.md.
type Words struct {
	// Title is the fact in a few words; screens print the rank before it.
	Title string
	// Meaning explains the cause and why it stops the job, in one or two
	// sentences. The first one is complete without the second.
	Meaning string
	// Fix holds the steps, one per line, a command after " $ ". The commands
	// only read, and name no object: a line of a log has no names.
	Fix string
}

// Wording returns the words for a cause, none for an unknown one.
type Wording func(train.Cause) Words

// signatureTitles are for texts that only report that something failed, where
// the words of the cause would claim more than is known.
var signatureTitles = map[string]string{
	"image-failed":        "An image cannot be pulled; the pod's events say why",
	"start-error":         "The container's command could not be started; the message beside it says why",
	"config-error":        "A ConfigMap, a Secret or a key of one is missing; the message beside it says which",
	"crash-loop":          "A container ends again and again; its previous log says why",
	"evicted":             "The node evicted the pod; the pod's message says why",
	"cublas-init":         "cuBLAS could not start: most often the GPU's memory is full, less often driver and library do not fit or an index was out of range before",
	"illegal-instruction": "A program uses instructions that the node's processor does not have",
	"worker-timeout":      "The data loader had no batch within its own timeout: data is read too slowly, or a worker hangs",
	"flight-waits":        "Ranks wait in a collective that has not completed",
	"python-cut":          "A Python traceback, of which the log does not hold the exception",
	"cudnn-init":          "cuDNN could not start: the library does not fit the driver or the image, or the GPU's memory is full",
}

// titleOfSignature returns the title for a text that only reports that something
// failed, "" for another.
func titleOfSignature(signature string) string {
	if signal, is := signatures.EndReported(signature); is && signal == 4 {
		signature = "illegal-instruction"
	}
	return signatureTitles[signature]
}

// quoted are signatures of lines that contain more than their cause.
var quoted = map[string]bool{"fatal-log": true, "fatal-assert": true, "fatal-abort": true, "sanitizer": true, "sanitizer-segv": true, "filter-unknown": true, "scheduler-unknown": true}

// Title summarizes a line of a log in a few words: "CUDA out of memory in
// train.py:88". cause is the cause of the line, w its words.
func Title(hit *train.LogHit, cause train.Cause, w Words) string {
	w = wordsOf(hit, w)
	c := candidate{hit: *hit, cause: cause, rank: -1}
	return c.sentence(w)
}

// sentence returns the title of a finding.
func (c *candidate) sentence(w Words) string {
	title := c.title
	if title == "" {
		title = cmp.Or(titleOfSignature(c.hit.Signature), w.Title, strings.ReplaceAll(string(c.cause), "-", " "))
		if c.hit.Frame != "" {
			title += " in " + c.hit.Frame
		}
		if quoted[c.hit.Signature] {
			title += ": " + safe(c.hit.Text)
		}
		if (c.cause == "python-exception" || c.cause == "application-error" || c.narrowed) && signatureTitles[c.hit.Signature] == "" {
			title = safe(c.hit.Text)
			if c.hit.Frame != "" {
				title += " (" + c.hit.Frame + ")"
			}
		}
		if c.rank >= 0 && c.tier() <= tierGeneral || c.reported && c.hit.Rank >= 0 {
			title = fmt.Sprintf("rank %d: %s", c.rank, title)
		}
	}
	if c.healed {
		title += " (it went on afterwards)"
	}
	return title
}

// Advice returns the steps of Fix for a finding that knows the objects. It
// omits kubectl commands, because the finding gives them with names.
func (w Words) Advice() []train.Step {
	steps := w.Steps()
	advice := slices.DeleteFunc(slices.Clone(steps), func(s train.Step) bool { return strings.HasPrefix(s.Command, "kubectl ") })
	if len(advice) > 0 {
		return advice
	}
	for i := range steps {
		steps[i] = train.Step{Text: steps[i].Text}
	}
	return steps
}

// Steps returns all steps of Fix, with their commands.
func (w Words) Steps() []train.Step {
	var steps []train.Step
	for _, line := range strings.Split(w.Fix, "\n") {
		text, command, _ := strings.Cut(line, " $ ")
		if text == "" {
			continue
		}
		step := train.Step{Text: text, Command: command}
		if command != "" {
			step.Arguments, step.Harmless = strings.Fields(command), true
		}
		steps = append(steps, step)
	}
	return steps
}

// safe returns text on one line that is safe for a terminal.
func safe(text string) string {
	const longest = 512
	return termtext.Short(text, longest)
}

// TrainsOnCPU is the cause of lines with which a program goes on without a
// GPU. They mean nothing unless its container requests GPUs, so no log alone
// shows it.
const TrainsOnCPU train.Cause = "trains-on-cpu"
