package cli

import (
	"strings"
	"testing"
)

// A file that holds only what kubectl printed instead of an answer reports once why
// nothing is known.
func TestALoneErrorOfKubectlIsSaidOnce(t *testing.T) {
	const reason = "kubectl printed this instead of what it was asked for"
	for _, text := range []string{
		`Error from server (Forbidden): pods "train-0" is forbidden: User "bob" cannot get resource "pods/log" in API group "" in the namespace "ml"`,
		`error: pods "train-0" is forbidden: User "bob" cannot get resource "pods/log" in API group "" in the namespace "ml"`,
		"error: the server doesn't have a resource type \"pytorchjobs\"",
	} {
		for _, args := range [][]string{{"diagnose"}, {"jobs"}, {"gpus"}, {"curves"}} {
			out, messages, _ := command(t, "", append(args, "--from", page(t, "answer.log", text+"\n"))...)
			for part, said := range map[string]string{"answer": out, "messages": messages} {
				for line := range strings.Lines(said) {
					if n := strings.Count(line, reason); n > 1 {
						t.Errorf("%v of %.30q: the %s has the reason %d times:\n%s", args, text, part, n, line)
					}
				}
			}
			if !strings.Contains(out+messages, reason) {
				t.Errorf("%v of %.30q: nothing is said:\n%s%s", args, text, out, messages)
			}
		}
	}
	// the log of a program that calls the API has the same words
	out, _, _ := command(t, "", "diagnose", "--from", page(t, "answer.log", `error: pods is forbidden: User "system:serviceaccount:ml:default" cannot list resource "pods" in API group "" in the namespace "ml"`+"\n"))
	if !strings.Contains(out, "rbac-forbidden") {
		t.Errorf("a refused service account:\n%s", out)
	}
}
