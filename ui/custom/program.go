package custom

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Program is a program that a key runs on this machine.
type Program struct {
	// Arguments are the program and its arguments. A variable in one becomes
	// text within that argument: nothing splits or expands it.
	Arguments []string
	// Script is run by /bin/sh -c instead, where a person asked for a shell.
	// Its variables are those of the environment.
	Script string
	// Confirm asks first.
	Confirm bool
	// Background runs it beside the screen and reports its end, Output shows
	// what it prints as a screen. Otherwise it has the terminal.
	Background, Output bool
	// Wait keeps the terminal until enter is pressed after its end.
	Wait bool
}

// Values are what the variables represent: facts of the selected object.
type Values map[string]string

// Run is what is executed.
type Run struct {
	Arguments []string
	// Environment are variables beside those of traintop itself, NAME=value.
	Environment []string
}

// String is the command line as a person would type it.
func (r Run) String() string {
	var parts []string
	for _, argument := range r.Arguments {
		if !plain.MatchString(argument) && !option.MatchString(argument) {
			argument = "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
		}
		parts = append(parts, argument)
	}
	return strings.Join(parts, " ")
}

// Variables are the names that may follow $, with what they are.
func Variables() [][2]string {
	return [][2]string{
		{"NAME", "the name of the selected object"}, {"KIND", "its kind, with the group as `Job.batch.volcano.sh` where another kind goes by the name"}, {"NAMESPACE", "its namespace"},
		{"JOB", "the job that it is or belongs to"}, {"JOB_KIND", "the kind of the job, likewise"}, {"JOB_NAMESPACE", "the namespace of the job"},
		{"RANK", "the rank; of a job the one that failed first, whether or not it still runs, or else the first that runs"},
		{"POD", "the pod of the rank"}, {"CONTAINER", "its training container"}, {"NODE", "its node"}, {"QUEUE", "the queue of the job"},
		{"CONTEXT", "the context of the kubeconfig"}, {"CLUSTER", "its cluster"}, {"USER", "its user"}, {"KUBECONFIG", "the file of --kubeconfig or $KUBECONFIG"},
		{"FILTER", "the filter of the screen"},
	}
}

func isVariable(name string) bool {
	return slices.ContainsFunc(Variables(), func(v [2]string) bool { return v[0] == name }) ||
		strings.HasPrefix(name, "label:") || strings.HasPrefix(name, "annotation:") || strings.HasPrefix(name, ofColumn)
}

// ofColumn begins the variables of k9s that are cells of the selected row.
const ofColumn = "COL-"

// ColumnVariable is the name of the variable of a column.
func ColumnVariable(title string) string { return ofColumn + strings.ToUpper(title) }

// variable is $NAME, ${NAME}, ${label:KEY}, ${annotation:KEY}, or k9s' $COL-X,
// with X the title of a column; $$ is a dollar.
var variable = regexp.MustCompile(`\$(?:\$|\{([^{}]+)\}|(COL-%?[A-Za-z0-9_]+(?:[/-]%?[A-Za-z0-9_]+)*|[A-Z][A-Z0-9_]*))`)

// plain is a value that no shell, and no program that reads options, takes for
// anything but text; option is an option with such a value.
var (
	plain  = regexp.MustCompile(`^[A-Za-z0-9_.:/@%+=,][A-Za-z0-9_.:/@%+=,-]*$`)
	option = regexp.MustCompile(`^--?[A-Za-z][A-Za-z0-9-]*(=[A-Za-z0-9_.:/@%+=,-]*)?$`)
)

// Check reports a program that cannot be run safely, or not at all.
func (p *Program) Check() error {
	if p.Script != "" {
		if names, err := shellNames(p.Script); err != nil || len(names) == 0 {
			return err
		}
		return newScriptCheck().checkShell("sh", p.Script)
	}
	if len(p.Arguments) == 0 || p.Arguments[0] == "" {
		return errors.New("it has no command")
	}
	if variable.MatchString(p.Arguments[0]) {
		return errors.New("its program is a variable: what is run must not come from a cluster")
	}
	return p.checkArguments()
}

func (p *Program) checkArguments() error {
	script, count := p.scriptAt(), 0
	words := make([]word, len(p.Arguments))
	for i, argument := range p.Arguments {
		names := namesIn(argument)
		if i == script {
			var err error
			if names, err = shellNames(argument); err != nil {
				return err
			}
			words[i].text = argument
		} else {
			words[i] = spliceValues(argument)
		}
		for _, name := range names {
			if !isVariable(name) {
				return fmt.Errorf("there is no variable $%s; variables are %s", name, strings.Join(variableNames(), ", "))
			}
		}
		count += len(names)
	}
	if count == 0 {
		return nil
	}
	return commandCheck{scripts: newScriptCheck(), list: true}.command(words)
}

// spliceValues is an argument as its check reads it.
func spliceValues(argument string) word {
	text := variable.ReplaceAllStringFunc(argument, func(found string) string {
		if found == "$$" {
			return "$"
		}
		return splice
	})
	return word{text: text, values: strings.Contains(text, splice)}
}

func newScriptCheck() *scriptCheck {
	return &scriptCheck{ours: func(name string) bool { return name == spliced || isVariable(name) }}
}

// shellNames are the variables of a cluster that a script of a shell names.
func shellNames(script string) (ours []string, err error) {
	for _, name := range namesIn(script) {
		switch {
		case isVariable(name) && (strings.Contains(name, ":") || strings.HasPrefix(name, ofColumn)):
			return nil, fmt.Errorf("a shell has no variable $%s; use an argument list", name)
		case isVariable(name):
			ours = append(ours, name)
		default:
			for _, v := range Variables() { // ${NAME:-x}, ${NAME%x}: another expansion of one
				if rest, is := strings.CutPrefix(strings.TrimLeft(name, "#!"), v[0]); is && (rest == "" || !strings.ContainsAny(rest[:1], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789")) {
					ours = append(ours, v[0])
				}
			}
		}
	}
	return ours, nil
}

func variableNames() []string {
	var names []string
	for _, v := range Variables() {
		names = append(names, "$"+v[0])
	}
	return append(names, "${label:KEY}", "${annotation:KEY}", "${COL-TITLE}")
}

// namesIn are the variables in a text.
func namesIn(text string) []string {
	var names []string
	for _, found := range variable.FindAllStringSubmatch(text, -1) {
		if name := found[1] + found[2]; name != "" {
			names = append(names, name)
		}
	}
	return names
}

// scriptAt is the index of the script of a shell that the program is, -1 for
// none.
func (p *Program) scriptAt() int {
	if !slices.Contains(shells, programName(p.Arguments[0])) {
		return -1
	}
	for i, argument := range p.Arguments[1:] {
		switch {
		case !strings.HasPrefix(argument, "-"):
			return -1
		case !strings.HasPrefix(argument, "--") && strings.Contains(argument, "c") && i+2 < len(p.Arguments):
			return i + 2
		}
	}
	return -1
}

// Resolve puts values into the arguments. It fails where a value is not known,
// or might be taken for more than text.
func (p *Program) Resolve(values Values) (Run, error) {
	if p.Script != "" {
		environment, err := values.environment(p.Script)
		return Run{Arguments: []string{"/bin/sh", "-c", p.Script}, Environment: environment}, err
	}
	run := Run{}
	script := p.scriptAt()
	for i, argument := range p.Arguments {
		switch {
		case i == script:
			environment, err := values.environment(argument)
			if err != nil {
				return Run{}, err
			}
			run.Environment = environment
		default:
			text, err := values.into(argument, p.mayRun(i))
			if err != nil {
				return Run{}, err
			}
			argument = text
		}
		run.Arguments = append(run.Arguments, argument)
	}
	return run, nil
}

// Options that in many programs are followed by what is run.
var (
	longTextOption = regexp.MustCompile(`^--?([a-z]+-)*(command|cmd|exec|execute|eval|run|rsh|shell|script|program|checkpoint-action)$`)
	textOption     = regexp.MustCompile(`^-[ceESx]$|` + longTextOption.String() + `|^--expr(ession)?$`)
)

// mayRun reports whether an argument may be run: a program before it runs its
// arguments, or the option before it shows it.
func (p *Program) mayRun(i int) bool {
	if slices.ContainsFunc(p.Arguments[:i], interprets) {
		return true
	}
	option, _, with := strings.Cut(p.Arguments[i], "=")
	return textOption.MatchString(p.Arguments[max(i-1, 0)]) || with && textOption.MatchString(option)
}

// personal are the variables of a person's own kubeconfig, whose values may hold
// any sign.
var personal = []string{"CONTEXT", "CLUSTER", "USER", "KUBECONFIG"}

// environment are the variables that a script names, as those of a process. A
// value of a cluster may only be one word that no shell expands.
func (v Values) environment(script string) ([]string, error) {
	var environment []string
	names, err := shellNames(script)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		value, err := v.of(name)
		if err != nil {
			return nil, err
		}
		if !plain.MatchString(value) && !slices.Contains(personal, name) {
			return nil, fmt.Errorf("$%s is %q, and a script gets only a word of letters, digits and _.:/@%%+=,-", name, value)
		}
		if entry := name + "=" + value; !slices.Contains(environment, entry) {
			environment = append(environment, entry)
		}
	}
	return environment, nil
}

// into puts values into one argument. A value that is not plain may only be the
// whole argument, or behind the = of an option, of a program that interprets
// nothing.
func (v Values) into(argument string, interprets bool) (string, error) {
	var failed error
	whole := wholeVariable.MatchString(argument)
	text := variable.ReplaceAllStringFunc(argument, func(found string) string {
		if found == "$$" {
			return "$"
		}
		name := namesIn(found)[0]
		value, err := v.of(name)
		switch {
		case err != nil:
			failed = err
		case plain.MatchString(value):
		case interprets || !whole:
			failed = fmt.Errorf("$%s is %q, which might be taken for more than a name there", name, value)
		case strings.HasPrefix(value, "-") && strings.HasPrefix(argument, "$"):
			failed = fmt.Errorf("$%s is %q, which the program would take for an option", name, value)
		}
		return value
	})
	return text, failed
}

var wholeVariable = regexp.MustCompile(`^(--[A-Za-z][A-Za-z0-9-]*=)?\$(\{[^{}]+\}|COL-[^$]+|[A-Z][A-Z0-9_]*)$`)

// of is the value of a variable.
func (v Values) of(name string) (string, error) {
	key := name
	if title, is := strings.CutPrefix(name, ofColumn); is {
		key = ColumnVariable(title)
	}
	value := v[key]
	if value == "" {
		return "", fmt.Errorf("$%s has no value for what is selected", name)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fmt.Errorf("$%s has control characters", name)
	}
	return value, nil
}
