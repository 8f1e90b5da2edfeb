package faults

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/termtext/corpus"
)

// spoiled is the recorded cluster with a text at the end of everything that
// people and programs write freely: messages, annotations, arguments, a
// variable more, and lines of logs.
func spoiled(t *testing.T, next func() string) *cluster {
	t.Helper()
	c, err := recordedCluster()
	must(t, err)
	for _, items := range c.objects {
		for _, item := range items {
			spoilObject(item, "", next)
		}
	}
	for pod, log := range c.logs {
		c.logs[pod] = append(bytes.TrimSuffix(log, []byte("\n")), spoiledLines(log, next)...)
	}
	return c
}

// spoilExport adds GPUs whose labels hold texts.
func (c *cluster) spoilExport(next func() string) {
	label := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	for i := range spoiledTexts {
		text := label.Replace(strings.ToValidUTF8(next(), "?"))
		c.exports = fmt.Appendf(c.exports, "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",UUID=\"GPU-%d\",modelName=\"%s\",pod=\"%s\",namespace=\"%s\"} 5\n", i, i, text, text, Namespace)
	}
}

// spoiledTexts is how many texts a log and the exporter get: all of the corpus.
const spoiledTexts = 120

// freeText are the fields that are written freely.
var freeText = []string{"message", "annotations", "args", "command", "note"}

func spoilObject(value any, field string, next func() string) any {
	free := slices.Contains(freeText, field)
	switch v := value.(type) {
	case string:
		if free {
			return v + " " + next()
		}
	case map[string]any:
		for name, one := range v {
			under := name
			if free && name != "name" {
				under = field
			}
			v[name] = spoilObject(one, under, next)
			if variables, are := one.([]any); are && name == "env" {
				v[name] = append(variables, map[string]any{"name": "NOTE", "value": next()})
			}
		}
	case []any:
		for i, one := range v {
			v[i] = spoilObject(one, field, next)
		}
	}
	return value
}

// spoiledLines are at the end of a log, with the time of its last line.
func spoiledLines(log []byte, next func() string) (lines []byte) {
	last := bytes.TrimSpace(log)
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	at, _, _ := bytes.Cut(last, []byte(" "))
	for i := range spoiledTexts {
		text := strings.ReplaceAll(next(), "\n", " ")
		lines = fmt.Appendf(lines, "\n%s step %d loss 0.5 %s\n%s RuntimeError: CUDA out of memory. %s", at, 9000+i, text, at, text)
	}
	return append(lines, '\n')
}

// TestHostileTextsThroughEveryCommand: whatever text a cluster and its logs
// hold, no command writes bytes that change, hide or break the screen.
func TestHostileTextsThroughEveryCommand(t *testing.T) {
	texts, n := corpus.Hostile(), 0
	if len(texts) > spoiledTexts {
		t.Fatalf("%d texts", len(texts))
	}
	next := func() string { n++; return marker + texts[n%len(texts)].Text }
	c := spoiled(t, next)
	c.spoilExport(next)
	throughEveryCommand(t, c, func(t *testing.T, _ Command, out, messages string) {
		if err := corpus.Check(out + messages); err != nil {
			t.Error(err)
		}
	})
}

// TestSecretsThroughEveryCommand: no command prints a secret, but for lines of
// logs and the screen, whose readers may read them anyway (docs/redaction.md).
func TestSecretsThroughEveryCommand(t *testing.T) {
	var forms []string
	for _, form := range corpus.SecretForms() {
		forms = append(forms, fmt.Sprintf(form, planted))
	}
	text := marker + strings.Join(forms, " ; ")
	c := spoiled(t, func() string { return text })
	throughEveryCommand(t, c, func(t *testing.T, command Command, out, messages string) {
		if strings.HasPrefix(command.Name, "logs") || command.Name == screen {
			out = ""
		}
		if at := strings.Index(out+messages, planted); at >= 0 {
			t.Errorf("it prints a secret: %.300s", (out + messages)[max(0, at-150):])
		}
	})
}

// marker begins each text, so that tests see that texts are shown; planted is
// the secret.
const marker, planted = "spoiled ", "s3cr0x7q1z9k"

// spoiledCommands print texts of objects or logs. The table of jobs names causes
// in words of its own where one is found, so of jobs only JSON has to.
var spoiledCommands = []string{"jobs", "diagnose", "diagnose -A", "logs", "logs -f"}

func throughEveryCommand(t *testing.T, c *cluster, check func(t *testing.T, command Command, out, messages string)) {
	t.Helper()
	for _, command := range Commands() {
		for _, args := range (Row{}).runs(command.Name) {
			t.Run(strings.Join(args, " "), func(t *testing.T) {
				t.Parallel()
				out, messages := readsSpoiled(t, c, command, args)
				if slices.Contains(spoiledCommands, command.Name) && strings.Join(args, " ") != "jobs" && !strings.Contains(out, marker) {
					t.Errorf("it shows none of the texts:\n%.1000s%.1000s", out, messages)
				}
				check(t, command, out, messages)
			})
		}
	}
}

// readsSpoiled runs a command, or opens the screen.
func readsSpoiled(t *testing.T, c *cluster, command Command, args []string) (out, messages string) {
	t.Helper()
	server, err := StartServer(c, wireWell)
	must(t, err)
	defer server.Stop()
	program := Program{built, t.TempDir()}
	if command.Name == screen {
		kubeconfig, err := server.Kubeconfig(program.Home)
		must(t, err)
		return screenOf(t, program, kubeconfig), ""
	}
	args, err = program.arguments(server, longTimeout, args)
	must(t, err)
	ctx, stop := t.Context(), func() {}
	if command.endless {
		ctx, stop = context.WithTimeout(ctx, 6*time.Second)
	}
	defer stop()
	run, err := program.Start(ctx, timeLimit, memoryLimit, args...)
	must(t, err)
	if wrong := isUnfit(run, args); len(wrong) > 0 {
		t.Errorf("%q: %s: %.1000s", wrong, filepath.Base(program.Path), run.Err)
	}
	return run.Out, run.Err
}

func screenOf(t *testing.T, program Program, kubeconfig string) string {
	t.Helper()
	s, err := program.Open("--kubeconfig=" + kubeconfig)
	must(t, err)
	defer s.Close(timeLimit)
	if !s.Shows(timeLimit, failedJob) {
		t.Errorf("the screen:\n%s", s.Now())
	}
	return s.Now()
}
