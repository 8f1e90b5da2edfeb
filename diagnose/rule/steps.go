package rule

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// Do returns a step without a command.
func Do(text string) train.Step { return train.Step{Text: Plain(text)} }

// Look returns a step whose command only reads.
func Look(text string, arguments ...string) train.Step {
	s := Run(text, arguments...)
	s.Harmless = true
	return s
}

// Run returns a step with a command that changes something.
func Run(text string, arguments ...string) train.Step {
	return train.Step{Text: Plain(text), Command: Quoted(arguments), Arguments: arguments}
}

// Quoted formats arguments as a command line of a POSIX shell. It quotes every
// argument that contains anything but letters, digits and a few harmless
// characters, because names in a cluster may contain any text.
func Quoted(arguments []string) string {
	quoted := make([]string, len(arguments))
	for i, argument := range arguments {
		quoted[i] = Quote(argument)
	}
	return strings.Join(quoted, " ")
}

func Quote(argument string) string {
	harmless := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%_-+=:,./", r)
	}
	if argument != "" && strings.IndexFunc(argument, func(r rune) bool { return !harmless(r) }) < 0 {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// ResourceName returns the name of an object for kubectl: "pod/x",
// "pytorchjobs.kubeflow.org/x". The group distinguishes kinds of one name.
func ResourceName(r train.Ref) string {
	kind := strings.ToLower(r.Kind)
	if r.Group != "" && r.Group != "batch" {
		kind += "." + r.Group
	}
	return kind + "/" + r.Name
}

// Kubectl returns a kubectl command about one object.
func Kubectl(verb string, r train.Ref, flags ...string) []string {
	arguments := []string{"kubectl", verb, ResourceName(r)}
	if r.Namespace != "" {
		arguments = append(arguments, "-n", r.Namespace)
	}
	return append(arguments, flags...)
}

// CoreRef names an object of a core kind.
func CoreRef(kind, namespace, name string) train.Ref {
	return train.Ref{Kind: kind, Namespace: namespace, Name: name}
}

// VerifyOf returns what shows that the steps of a finding worked, where its rule
// has no words of its own.
func VerifyOf(stage train.Stage) string {
	switch stage {
	case train.StageAdmission:
		return "The job gets its pods, and this finding goes."
	case train.StageSchedule:
		return "The pods get a node (an event Scheduled), and this finding goes."
	case train.StageVolumes:
		return "The pods leave ContainerCreating, and this finding goes."
	case train.StageImage:
		return "An event Pulled follows, and the containers start."
	case train.StageStart:
		return "The containers start (an event Started) and stay up."
	case train.StageRendezvous:
		return "All ranks get past initialisation and make their first step."
	}
	return "The rank stays up and makes steps."
}
