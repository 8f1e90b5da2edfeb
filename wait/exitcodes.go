package wait

import "slices"

// outcomes are all, the worst first, with the exit code of each. docs/cli.md and the
// help in cli/wait.go state them by hand; a test in cli compares them. 124 is that of
// timeout(1), 130 that of a shell after SIGINT.
var outcomes = []struct {
	Outcome
	code    int
	meaning string
}{
	{Failed, 3, "the job ended badly, or in another way than was asked for"},
	{Stuck, 4, "no new step and no new line for `--no-progress` while it ran"},
	{Gone, 5, "it was deleted and not created again within 30 s"},
	{TimedOut, 124, "`--timeout` is over"},
	{Interrupted, 130, "ctrl-c, TERM or HUP"},
	{Reached, 0, "what was asked for holds, or held"},
}

// Code returns the exit code of the outcome.
func (o Outcome) Code() int {
	for _, known := range outcomes {
		if known.Outcome == o {
			return known.code
		}
	}
	return 1
}

// Code describes one exit code.
type Code struct {
	Code    int
	Outcome Outcome
	Meaning string
}

// Codes returns the exit codes of outcomes, in order of the code.
func Codes() []Code {
	var all []Code
	for _, o := range outcomes {
		all = append(all, Code{o.code, o.Outcome, o.meaning})
	}
	slices.SortFunc(all, func(a, b Code) int { return a.Code - b.Code })
	return all
}
