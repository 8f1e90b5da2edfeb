package dump

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
)

// Objects are read from between sentences, and the lines around them are reported.
func TestObjectsBetweenSentences(t *testing.T) {
	second := strings.ReplaceAll(podOnNode, "bert-worker-0", "bert-worker-1")
	for name, text := range map[string]string{
		"a sentence before":         "Here is the pod:\n\n" + podOnNode,
		"a command without prompt":  "kubectl get pod bert-worker-0 -o yaml\n" + podOnNode,
		"set -x of a shell":         "+ kubectl get pod bert-worker-0 -o yaml\n" + podOnNode,
		"an arrow as prompt":        "➜  ~ kubectl get pod -o yaml\n" + podOnNode,
		"a question after":          podOnNode + "\nWhat can I do? Thanks!\n",
		"a fence that only closes":  podOnNode + "```\n",
		"a command in a block":      "My pod:\n```\n➜  ~ kubectl get pod -o yaml\n" + podOnNode + "```\nAny idea?\n",
		"a sentence between two":    "First:\n" + podOnNode + "and the other one\n\n" + second,
		"a heading that is a title": "The pod\n=======\n" + podOnNode,
	} {
		t.Run(name, func(t *testing.T) {
			h, _, err := readAll(t, Options{}, write(t, "issue.txt", text))
			if err != nil {
				t.Fatal(err)
			}
			if want := strings.Count(text, "kind: Pod"); len(h.objects) != want {
				t.Errorf("%d objects, want %d: %+v", len(h.objects), want, h.health)
			}
			for name, object := range h.objects {
				if pod, is := object.(*corev1.Pod); !is || pod.Spec.NodeName != "gpu-0" || len(pod.Spec.Containers) != 1 {
					t.Errorf("%s is not whole: %+v", name, object)
				}
			}
		})
	}
}

// A log that prints an object stays a log, and an object with something broken in it is
// not made whole.
func TestNoSentences(t *testing.T) {
	for name, text := range map[string]string{
		"a log":                strings.Repeat("step 1 loss 2.5\n", 20) + podOnNode,
		"a traceback before":   "Traceback (most recent call last):\nRuntimeError: it failed\n" + podOnNode,
		"an exception after":   podOnNode + "torch.OutOfMemoryError: CUDA out of memory\n",
		"lines with times":     "2026-09-14 08:00:00 starting\n" + podOnNode,
		"a broken object":      "Here:\n" + strings.Replace(podOnNode, "metadata:", "metadata", 1),
		"nothing of an object": "the apiVersion is v1\nkind of\n",
	} {
		if w := wrappingOf([]byte(text), true); w != nil && w.loose {
			t.Errorf("%s: read as objects between sentences", name)
		}
	}
}

// Where texts count, the text around objects is read as a log: a failure that is
// named there is not lost. A question is none.
func TestSentencesAreTexts(t *testing.T) {
	const why = "0/3 nodes are available: 3 Insufficient nvidia.com/gpu."
	for name, text := range map[string]string{
		"in a block":      "It hangs:\n```yaml\n" + podOnNode + "```\n" + why + "\n",
		"after an object": "It hangs:\n" + podOnNode + "\n" + why + "\n",
	} {
		lines, problems := textsOf(t, text)
		if !strings.Contains(lines, why) || strings.Contains(lines, "kind: Pod") || problems != "" {
			t.Errorf("%s: lines %q, told %q", name, lines, problems)
		}
	}
	if lines, problems := textsOf(t, "It hangs:\n"+podOnNode+"\nAny idea?\n"); lines != "" || problems == "" {
		t.Errorf("a question: lines %q, told %q", lines, problems)
	}
}

// textsOf reads a text where texts count, and returns its lines and the report about
// those that were not read.
func textsOf(t *testing.T, text string) (lines, problems string) {
	t.Helper()
	heard := &saidLines{}
	files := New([]string{write(t, "issue.md", text)}, Options{})
	files.TakeTexts()
	if err := files.Run(t.Context(), heard); err != nil {
		t.Fatal(err)
	}
	for _, p := range files.Summary().LeftOut {
		problems += p.Text
	}
	return heard.text, problems
}

// saidLines keeps the text of lines.
type saidLines struct{ text string }

func (s *saidLines) Apply(events ...store.Event) {
	for _, event := range events {
		if logged, is := event.(store.Logged); is {
			for _, line := range logged.Lines {
				s.text += string(line.Text) + "\n"
			}
		}
	}
}
