package custom

import (
	"regexp"
	"slices"
	"strings"
)

// Programs that run text which they are given, by how they are given it.
var (
	// shells read a script behind -c, of a file, or from their input.
	shells = []string{"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash"}
	// languages run their first operand or their input.
	languages = []string{"python", "python2", "python3", "perl", "ruby", "node", "nodejs", "php", "lua", "Rscript", "julia", "awk", "gawk", "mawk", "nawk", "tclsh", "expect", "osascript", "deno", "bun", "pwsh", "powershell", "powershell.exe"}
	// tools have options that run text, firsts run their first operand as well.
	tools  = []string{"vi", "vim", "nvim", "ex", "ed", "emacs", "make", "gmake", "gdb", "lldb", "psql", "mysql", "sqlite3", "su", "runuser", "script", "nc", "ncat", "nix-shell", "less"}
	firsts = []string{"sed", "gsed", "trap", "bind", "socat"}
	// wrappers run the command that follows as many operands.
	wrappers = map[string]int{
		"env": 0, "nohup": 0, "timeout": 0, "gtimeout": 0, "nice": 0, "ionice": 0, "chrt": 0, "taskset": 1, "sudo": 0, "doas": 0, "exec": 0, "command": 0, "builtin": 0,
		"setsid": 0, "stdbuf": 0, "unbuffer": 0, "watch": 0, "viddy": 0, "time": 0, "strace": 0, "ltrace": 0, "chroot": 1, "unshare": 0, "nsenter": 0, "flock": 1,
		"systemd-run": 0, "busybox": 0, "toybox": 0, "direnv": 2, "entr": 0, "caffeinate": 0, "proot": 0, "setarch": 0,
		"tmux": 1, "screen": 0, "zellij": 2, "kitty": 0, "wezterm": 2, "xterm": 0, "gnome-terminal": 0, "cmd": 1, "cmd.exe": 1,
	}
	// readers run what they read, or name anew what is run.
	readers = []string{"eval", "source", ".", "xargs", "parallel", "at", "batch", "crontab", "alias", "enable", "mapfile", "readarray", "hash", "fc"}
)

// interprets reports whether a program runs text of its arguments.
func interprets(argument string) bool {
	name := programName(argument)
	_, wraps := wrappers[name]
	return wraps || name == "ssh" || versioned(languages, name) || slices.Contains(shells, name) || slices.Contains(tools, name) || slices.Contains(firsts, name) || slices.Contains(readers, name)
}

var version = regexp.MustCompile(`[0-9.]+$`)

func versioned(names []string, name string) bool {
	return slices.Contains(names, name) || slices.Contains(names, version.ReplaceAllString(name, ""))
}

// commandCheck checks the words of one command.
type commandCheck struct {
	scripts *scriptCheck
	// fed is whether its input is text of the script, list whether it is an
	// argument list, whose values no shell splits.
	fed, list bool
}

func (c commandCheck) command(words []word) error {
	name := programName(words[0].text)
	arguments := words[1:]
	base, wraps := wrappers[name]
	switch {
	case slices.Contains(readers, name) && (!c.list || hasValues(arguments)):
		return runsText("%s runs what it is given", name)
	case slices.Contains(shells, name):
		return c.shell(name, arguments)
	case name == "ssh":
		return c.ssh(arguments)
	case wraps:
		return c.wrapper(name, base, arguments)
	case versioned(languages, name):
		return c.language(name, arguments)
	case slices.Contains(tools, name):
		return tool(name, 0, arguments)
	case slices.Contains(firsts, name):
		return tool(name, 1, arguments)
	}
	return c.behind(name, arguments)
}

func hasValues(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return !w.literal() })
}

// behind checks the command that another program starts: kubectl exec POD --
// COMMAND, find -exec COMMAND, docker run IMAGE sh.
func (c commandCheck) behind(name string, arguments []word) error {
	for i, w := range arguments {
		option, _, with := strings.Cut(w.text, "=")
		if !w.literal() && (with && longTextOption.MatchString(option) || i > 0 && runsNext(name, arguments[i-1].text)) {
			return runsText("%s runs what that option is given", name)
		}
		starts := i > 0 && slices.Contains(starters, arguments[i-1].text) || i > 0 && arguments[i-1].text == "--" && slices.ContainsFunc(arguments[:i], startsCommands)
		switch {
		case starts && !w.literal():
			return runsText("a value begins the command behind %s", arguments[i-1].text)
		case w.literal() && (starts || slices.Contains(shells, programName(w.text))):
			return c.command(arguments[i:])
		}
	}
	return nil
}

// starters are options of find that a command follows; startsCommands reports a
// word with which -- is followed by one: kubectl exec.
var starters = []string{"-exec", "-execdir", "-ok", "-okdir"}

func startsCommands(w word) bool {
	return slices.Contains([]string{"exec", "run", "debug", "attach", "shell", "ssh", "spawn", "launch", "start"}, w.text)
}

// textOptions are further options that are followed by what is run.
var textOptions = map[string]string{"rsync": "-e", "zip": "-TT", "tar": "-I", "git": "-c"}

func runsNext(name, option string) bool {
	return longTextOption.MatchString(option) || option != "" && textOptions[name] == option
}

// shell checks a shell: its script, and that it reads none.
func (c commandCheck) shell(name string, arguments []word) error {
	for i, w := range arguments {
		switch {
		case !w.literal():
			return runsText("%s runs what it is given", name)
		case w.isOption() && !strings.HasPrefix(w.text, "--") && strings.Contains(w.text, "c"):
			if i+1 >= len(arguments) {
				return nil
			}
			return c.script(name, arguments[i+1])
		case !w.isOption() && !readsInput(w.text):
			if c.scripts.writes { // perhaps the file
				return runsText("%s may run what the script writes", name)
			}
			return nil // the file of its script; what follows are its arguments
		}
	}
	if c.fed {
		return runsText("%s runs what it reads", name)
	}
	return nil
}

func readsInput(operand string) bool {
	return operand == "-" || strings.HasPrefix(operand, "/dev/") || strings.HasPrefix(operand, "/proc/")
}

// script checks a script that is an argument.
func (c commandCheck) script(shell string, script word) error {
	if script.expanded {
		return runsText("%s runs what is expanded", shell)
	}
	inner := &scriptCheck{ours: c.scripts.ours, fed: c.fed, depth: c.scripts.depth, writes: c.scripts.writes}
	return inner.checkShell(shell, strings.ReplaceAll(script.text, splice, "${"+spliced+"}"))
}

// spliced is the variable that represents a value in a script within a script.
const spliced = "TRAINTOP_VALUE"

// sshValues are the options of ssh (OpenSSH 9) that take a value.
const sshValues = "BbcDEeFIiJLlmOopQRSWw"

// ssh checks the options, and the command that the host's shell runs.
func (c commandCheck) ssh(arguments []word) error {
	i := 0
	for ; i < len(arguments) && arguments[i].isOption(); i++ {
		if !arguments[i].literal() {
			return runsText("an option of ssh may run a command")
		}
		if letter := arguments[i].text[len(arguments[i].text)-1:]; len(arguments[i].text) == 2 && strings.Contains(sshValues, letter) {
			if i++; i < len(arguments) && letter == "o" && !arguments[i].literal() {
				return runsText("an option of ssh may run a command")
			}
		}
	}
	if i++; i < len(arguments) {
		var texts []string
		for _, w := range arguments[i:] {
			if w.expanded {
				return runsText("ssh runs what is expanded")
			}
			texts = append(texts, w.text)
		}
		return c.script("sh", word{text: strings.Join(texts, " ")})
	}
	if c.fed {
		return runsText("ssh runs what it reads")
	}
	return nil
}

var (
	number   = regexp.MustCompile(`^[0-9.]+[smhd]?$`)
	assigned = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=`)
)

// wrapper checks that the command which a wrapper runs is literal. Each option
// may take a value: only a word that is the command all the same counts.
func (c commandCheck) wrapper(name string, base int, arguments []word) error {
	need, operands := base+1, 0
	for i, w := range arguments {
		assignment := assigned.FindStringSubmatch(w.text)
		switch {
		case assignment != nil && (w.literal() || !running.MatchString(assignment[1])):
		case w.values && !w.expanded && operands >= need-1 && strings.Contains(w.text, " ") && !strings.HasPrefix(w.text, splice):
			return c.script("sh", w) // watch and tmux give it to a shell
		case !w.literal() && (operands < need || w.isOption() && operands == 0):
			return runsText("%s runs what it is given", name)
		case w.text == "--":
			need, operands = base+1, 0
		case w.isOption() && operands <= base:
			if !strings.Contains(w.text, "=") {
				need++
			}
		case number.MatchString(w.text):
		default:
			if operands++; interprets(w.text) || operands == need {
				if err := c.command(arguments[i:]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// language checks that what an interpreter runs is literal.
func (c commandCheck) language(name string, arguments []word) error {
	for i, w := range arguments {
		switch {
		case i > 0 && arguments[i-1].text == "-v" && strings.HasSuffix(name, "awk") && assigned.MatchString(w.text):
		case !w.literal():
			return runsText("%s runs what it is given", name)
		case !w.isOption() && !readsInput(w.text):
			return nil
		}
	}
	if c.fed {
		return runsText("%s runs what it reads", name)
	}
	return nil
}

// tool checks that no value is an option, behind one, or among the operands
// that run.
func tool(name string, run int, arguments []word) error {
	operands := 0
	for i, w := range arguments {
		switch {
		case !w.literal() && (operands < run || strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "+") || i > 0 && arguments[i-1].isOption()):
			return runsText("%s may run what it is given there", name)
		case !w.isOption():
			operands++
		}
	}
	return nil
}
