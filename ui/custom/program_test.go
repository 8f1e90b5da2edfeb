package custom

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestValuesBecomeTextWithinOneArgument(t *testing.T) {
	values := Values{"NAME": "bert-worker-0", "NAMESPACE": "ml", "RANK": "3", "CONTEXT": "arn:aws:eks:eu:1:cluster/x", "FILTER": `loss|"nan"; rm -rf /`, "label:team": "a b", "QUEUE": "-rf", "COL-NODE": "gpu-1", "COL-%CPU/R": "71", "COL-RESTARTS": "3 (2m ago)", "COL-LAST LINE": "step 5"}
	for _, c := range []struct {
		arguments []string
		want      []string
		fails     string
	}{
		{arguments: []string{"kubectl", "logs", "$NAME", "-n", "$NAMESPACE", "--context=$CONTEXT"}, want: []string{"kubectl", "logs", "bert-worker-0", "-n", "ml", "--context=arn:aws:eks:eu:1:cluster/x"}},
		{arguments: []string{"open", "https://x.example/${NAMESPACE}/$NAME?rank=$RANK&price=$$5"}, want: []string{"open", "https://x.example/ml/bert-worker-0?rank=3&price=$5"}},
		{arguments: []string{"stern", "--tail", "50", "$FILTER"}, want: []string{"stern", "--tail", "50", `loss|"nan"; rm -rf /`}},
		{arguments: []string{"stern", "--grep=${label:team}"}, want: []string{"stern", "--grep=a b"}},
		{arguments: []string{"ssh-keyscan", "$COL-NODE", "https://$COL-NODE/$NAME", "${COL-last line}", "$COL-%CPU/R", "--restarts=$COL-RESTARTS"}, want: []string{"ssh-keyscan", "gpu-1", "https://gpu-1/bert-worker-0", "step 5", "71", "--restarts=3 (2m ago)"}},
		{arguments: []string{"echo", "$COL-IMAGE"}, fails: "$COL-IMAGE has no value for what is selected"},
		{arguments: []string{"echo", "x$COL-RESTARTS"}, fails: "might be taken for more than a name"},
		{arguments: []string{"open", "https://x.example/$FILTER"}, fails: "might be taken for more than a name"},
		{arguments: []string{"echo", "$QUEUE"}, fails: "take for an option"},
		{arguments: []string{"echo", "$JOB"}, fails: "$JOB has no value for what is selected"},
		{arguments: []string{"ssh", "host", "tail -f /var/log/$NAME"}, want: []string{"ssh", "host", "tail -f /var/log/bert-worker-0"}},
		{arguments: []string{"ssh", "host", "$FILTER"}, fails: "might be taken for more than a name"},
		{arguments: []string{"kubectl", "exec", "$NAME", "--", "sh", "-c", "$FILTER"}, fails: "might be taken for more than a name"},
		{arguments: []string{"/usr/bin/env", "/bin/bash", "-c", "echo ${label:team}"}, fails: "might be taken for more than a name"},
		{arguments: []string{"sh", "-c", `echo "$1"`, "sh", "$FILTER"}, fails: "might be taken for more than a name"},
		{arguments: []string{"sh", "-c", `echo "$1"`, "sh", "$NAME"}, want: []string{"sh", "-c", `echo "$1"`, "sh", "bert-worker-0"}},
	} {
		run, err := (&Program{Arguments: c.arguments}).Resolve(values)
		switch {
		case c.fails != "":
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: %q, %v; want %q", c.arguments, run.Arguments, err, c.fails)
			}
		case err != nil || !slices.Equal(run.Arguments, c.want):
			t.Errorf("%q: %q, %v", c.arguments, run.Arguments, err)
		}
	}
}

// Nothing of a cluster is spliced into a script, whatever it is: a shell gets
// it as a variable. The hostile values are run by a real shell.
func TestNoTextOfAClusterIsRunByAShell(t *testing.T) {
	folder := t.TempDir()
	trap := filepath.Join(folder, "trap")
	for _, hostile := range []string{
		"; touch " + trap, "$(touch " + trap + ")", "`touch " + trap + "`", "' ; touch " + trap + " ; '", `" ; touch ` + trap + ` ; "`, "&& touch " + trap, "| touch " + trap,
	} {
		values := Values{"NAME": hostile, "KUBECONFIG": hostile} // a person's own may hold any sign
		for _, p := range []*Program{
			{Script: `printf %s "$KUBECONFIG"`}, {Script: `printf %s ${KUBECONFIG} >/dev/null; printf %s "$KUBECONFIG"`}, {Script: "echo $KUBECONFIG > /dev/null; printf %s \"$KUBECONFIG\""},
			{Arguments: []string{"sh", "-c", `printf %s "$KUBECONFIG"`}},
			{Arguments: []string{"printf", "%s", "$NAME"}},
		} {
			if err := p.Check(); err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			run, err := p.Resolve(values)
			if err != nil {
				t.Fatalf("%+v: %v", p, err)
			}
			command := exec.CommandContext(t.Context(), run.Arguments[0], run.Arguments[1:]...)
			command.Env = append(os.Environ(), run.Environment...)
			out, err := command.CombinedOutput()
			if err != nil || string(out) != hostile {
				t.Errorf("%+v with %q: %q, %v", p, hostile, out, err)
			}
			if _, err := os.Stat(trap); err == nil {
				t.Fatalf("%+v ran %q", p, hostile)
			}
		}
	}
	if run, err := (&Program{Script: "echo $NAME"}).Resolve(Values{"NAME": "a\nb"}); err == nil {
		t.Errorf("a line end in a name: %q", run)
	}
}

func TestWhatCannotBeRunSafelyIsRefused(t *testing.T) {
	for _, c := range []struct {
		p     Program
		fails string
	}{
		{Program{Arguments: []string{"kubectl", "get", "$NAME"}}, ""},
		{Program{}, "it has no command"},
		{Program{Arguments: []string{"$NAME"}}, "its program is a variable"},
		{Program{Arguments: []string{"echo", "$COL-NAME"}}, ""},
		{Program{Script: "echo $COL-NAME"}, "a shell has no variable $COL-NAME"},
		{Program{Arguments: []string{"echo", "$RESOURCES"}}, "there is no variable $RESOURCES; variables are $NAME"},
		{Program{Arguments: []string{"bash", "-c", "kubectl get pod $NAME -o yaml | less"}}, ""},
		{Program{Arguments: []string{"bash", "-c", "$NAME"}}, "would run the text of a variable"},
		{Program{Arguments: []string{"sh", "-c", "true; $POD"}}, "would run the text of a variable"},
		{Program{Arguments: []string{"sh", "-c", `eval "echo $POD"`}}, "would run the text of a variable"},
		{Program{Script: "for i in $HOME; do echo $i; done"}, ""},
		{Program{Script: "echo ${label:team}"}, "a shell has no variable"},
	} {
		err := c.p.Check()
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%+v: %v, want %q", c.p, err, c.fails)
		}
	}
}

func TestACommandLineIsShownAsItCouldBeTyped(t *testing.T) {
	run := Run{Arguments: []string{"kubectl", "-n", "ml", "--since=5m", "it's", "$HOME", ""}}
	if got, want := run.String(), `kubectl -n ml --since=5m 'it'\''s' '$HOME' ''`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestAliasesAndFilters(t *testing.T) {
	s := Set{Aliases: map[string]string{"mine": "jobs owner=me"}, Filters: map[string]string{"oom": "-f memory"}}
	if s.Line("MINE ml") != "jobs owner=me ml" || s.Line("jobs x") != "jobs x" || s.Filter("@oom") != "-f memory" || s.Filter("@x") != "@x" || s.Filter("oom") != "oom" {
		t.Error(s.Line("MINE ml"), s.Filter("@oom"))
	}
}
