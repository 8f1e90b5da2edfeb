package diagnose

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// do is a step without a command.
func do(text string) train.Step { return train.Step{Text: plain(text)} }

// look is a step whose command only reads.
func look(text string, arguments ...string) train.Step {
	s := run(text, arguments...)
	s.Harmless = true
	return s
}

// run is a step with a command that changes something.
func run(text string, arguments ...string) train.Step {
	return train.Step{Text: plain(text), Command: Quoted(arguments), Arguments: arguments}
}

// Quoted writes arguments as a command line of a POSIX shell. Every argument
// that holds anything but letters, digits and a few marks without a meaning
// is quoted, since names of a cluster are anybody's text.
func Quoted(arguments []string) string {
	quoted := make([]string, len(arguments))
	for i, argument := range arguments {
		quoted[i] = quote(argument)
	}
	return strings.Join(quoted, " ")
}

func quote(argument string) string {
	harmless := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%_-+=:,./", r)
	}
	if argument != "" && strings.IndexFunc(argument, func(r rune) bool { return !harmless(r) }) < 0 {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// resourceName is how kubectl is told of an object: "pod/x",
// "pytorchjobs.kubeflow.org/x". The group keeps kinds of one name apart.
func resourceName(r train.Ref) string {
	kind := strings.ToLower(r.Kind)
	if r.Group != "" && r.Group != "batch" {
		kind += "." + r.Group
	}
	return kind + "/" + r.Name
}

// kubectl is a kubectl command about one object.
func kubectl(verb string, r train.Ref, flags ...string) []string {
	arguments := []string{"kubectl", verb, resourceName(r)}
	if r.Namespace != "" {
		arguments = append(arguments, "-n", r.Namespace)
	}
	return append(arguments, flags...)
}

// coreRef names an object of a core kind.
func coreRef(kind, namespace, name string) train.Ref {
	return train.Ref{Kind: kind, Namespace: namespace, Name: name}
}
