package logs

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/traintop/traintop/train"
)

// words are what a person is told about a cause that a text shows.
type words struct {
	stage train.Stage
	// title is the fact in a few words; the rank goes before it.
	title string
	// meaning and fix are a sentence or two; fix may hold several steps, one
	// on each line, a command after " $ ".
	meaning, fix string
}

// signatureTitles are for texts that only say that something failed, where the
// words of the cause would say more than is known.
var signatureTitles = map[string]string{
	"image-failed": "An image cannot be pulled; the pod's events say why",
	"start-error":  "The container's command could not be started; the message beside it says why",
	"config-error": "A ConfigMap, a Secret or a key of one is missing; the message beside it says which",
	"crash-loop":   "A container ends again and again; its previous log says why",
	"evicted":      "The node evicted the pod; the pod's message says why",
	"cublas-init":  "cuBLAS could not start: most often the GPU's memory is full, less often driver and library do not fit or an index was out of range before",
	"python-cut":   "A Python traceback, of which the log does not hold the exception",
	"cudnn-init":   "cuDNN could not start: the library does not fit the driver or the image, or the GPU's memory is full",
}

// Title is what a line of a log says, in a few words: "CUDA out of memory in
// train.py:88". cause is what the line comes down to.
func Title(hit *train.LogHit, cause train.Cause) string {
	c := candidate{hit: *hit, cause: cause, rank: -1}
	return c.sentence(wordsOf(cause))
}

// Advice is what a cause means and what to do about it; names of objects are
// not in it.
func Advice(cause train.Cause) (meaning string, steps []train.Step) {
	w := wordsOf(cause)
	return w.meaning, w.steps()
}

// sentence is the title of a finding.
func (c *candidate) sentence(w words) string {
	title := c.title
	if title == "" {
		title = cmp.Or(signatureTitles[c.hit.Signature], w.title, strings.ReplaceAll(string(c.cause), "-", " "))
		if c.hit.Frame != "" {
			title += " in " + c.hit.Frame
		}
		if (c.cause == "python-exception" || c.cause == "application-error") && signatureTitles[c.hit.Signature] == "" {
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

func (w words) steps() []train.Step {
	var steps []train.Step
	for _, line := range strings.Split(w.fix, "\n") {
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

func (w words) verify() string {
	switch w.stage {
	case train.StageAdmission, train.StageSchedule:
		return "The pods are made and get a node."
	case train.StageVolumes, train.StageImage, train.StageStart:
		return "The containers start and stay up."
	case train.StageRendezvous:
		return "All ranks get past initialisation and print their first step."
	}
	return "Training gets past the step where it stopped."
}

// safe is text on one line as a terminal may show it.
func safe(text string) string {
	const longest = 512
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }), " ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return strings.TrimSpace(text)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// wordsOf are the words for a cause; those of objects alone have their words
// in package diagnose, which completes a finding with them.
func wordsOf(cause train.Cause) words {
	w, known := causeWords[cause]
	if !known {
		w.stage = train.StageProgress
	}
	return w
}
