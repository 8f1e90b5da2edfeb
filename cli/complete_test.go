package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompletion(t *testing.T) {
	kubeconfig := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\ncurrent-context: prod\ncontexts:\n- {name: prod, context: {cluster: c}}\n- {name: staging, context: {cluster: c}}\nclusters:\n- {name: c, cluster: {server: 'https://127.0.0.1:1'}}\n"
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	files := podLogs(t, twoRanks)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"jobs", "--theme", ""}, []string{"nord", "solarized"}},
		{[]string{"--kubeconfig", kubeconfig, "jobs", "--context", ""}, []string{"prod", "staging"}},
		{append(files[:len(files):len(files)], "logs", ""), []string{"llama-70b"}},
		{append(files[:len(files):len(files)], "diagnose", "lla"), []string{"llama-70b"}},
		{append(files[:len(files):len(files)], "jobs", "-n", ""), []string{"llm"}},
	} {
		out, messages, code := command(t, "", append([]string{"__complete"}, c.args...)...)
		for _, want := range c.want {
			if !strings.Contains("\n"+out, "\n"+want) || code != exitDone {
				t.Errorf("%q: exit %d, got %q (%s), want %q", c.args, code, out, messages, want)
			}
		}
	}
	hostile := filepath.Join(t.TempDir(), "jobs.json")
	if err := os.WriteFile(hostile, []byte(`{"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "z\u001b[2J\u202eb", "namespace": "ns"}, "spec": {"pytorchReplicaSpecs": {"Master": {"replicas": 1}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, _ := command(t, "", "__complete", "diagnose", "--from", hostile, ""); !strings.HasPrefix(out, "zb\n") {
		t.Errorf("a name with control characters: %q", out)
	}
	if out, _, _ := command(t, "", append(append([]string{"__complete"}, files...), "logs", "llama-70b", "")...); strings.Contains(out, "llama") {
		t.Errorf("logs completes a second job: %q", out)
	}
}

func TestEveryCommandHasExamples(t *testing.T) {
	root := (&app{}).root()
	for _, cmd := range append(root.Commands(), root) {
		if !cmd.Hidden && cmd.Example == "" {
			t.Errorf("%s has no example in its help", cmd.Name())
		}
	}
	if out, _, _ := command(t, "", "logs", "--help"); !strings.Contains(out, "Examples:\n  traintop logs bert -f\n") {
		t.Errorf("the help of logs is\n%s", out)
	}
}

func TestVersion(t *testing.T) {
	words, _, _ := command(t, "", "version")
	if out, _, code := command(t, "", "--version"); out != words || code != exitDone {
		t.Errorf("--version prints %q, version %q", out, words)
	}
	out, _, code := command(t, "", "version", "-o", "json")
	if code != exitDone || !strings.Contains(out, `"version":`) || !strings.Contains(out, `"go":"go1`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if _, messages, code := command(t, "", "version", "-o", "xml"); code != exitUsage || !strings.Contains(messages, "json") {
		t.Errorf("exit %d: %s", code, messages)
	}
}

// help COMMAND prints what COMMAND --help prints.
func TestHelp(t *testing.T) {
	for _, words := range [][]string{{}, {"jobs"}, {"config", "check"}, {"help"}} {
		want, _, _ := command(t, "", append(words[:len(words):len(words)], "--help")...)
		out, messages, code := command(t, "", append([]string{"help"}, words...)...)
		if out != want || out == "" || messages != "" || code != exitDone {
			t.Errorf("help %q: exit %d, %s\n%s", words, code, messages, out)
		}
	}
	for typed, want := range map[string]string{"job": `did you mean "jobs"?`, "nothing": `there is no command "nothing"`} {
		if out, messages, code := command(t, "", "help", typed); code != exitUsage || out != "" || !strings.Contains(messages, want) {
			t.Errorf("help %s: exit %d, %q, %q", typed, code, out, messages)
		}
	}
	if out, _, _ := command(t, "", "__complete", "help", "config", ""); !strings.Contains(out, "check\n") {
		t.Errorf("completion of help config is %q", out)
	}
}
