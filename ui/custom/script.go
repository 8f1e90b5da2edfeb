package custom

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is one word of a command as a shell or a program would get it.
type word struct {
	// text is the word without its quotes, with splice for each value.
	text string
	// values is whether values of variables are in it, expanded whether a shell
	// puts any other text into it: the output of a command, its own variables.
	values, expanded bool
}

// splice represents the value of a variable in a text that is checked.
const splice = "\x01"

func (w word) literal() bool { return !w.values && !w.expanded }
func (w word) isOption() bool {
	return strings.HasPrefix(w.text, "-") && w.text != "-" && w.text != "--"
}

// scriptCheck checks a script into which values come: whatever a shell expands
// may only be an argument of a program that does not run it.
type scriptCheck struct {
	// ours reports whether a variable of the shell is one of a cluster.
	ours func(name string) bool
	// fed is whether programs may read text of the script as their input.
	fed bool
	// writes is whether it writes files.
	writes bool
	depth  int
	err    error
}

func runsText(format string, args ...any) error {
	return fmt.Errorf("it would run the text of a variable, which comes from a cluster: "+format, args...)
}

func (c *scriptCheck) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// maxScriptDepth bounds scripts within scripts.
const maxScriptDepth = 8

// checkShell checks a script of the named shell.
func (c *scriptCheck) checkShell(shell, script string) error {
	if c.depth++; c.depth > maxScriptDepth {
		return errors.New("its script has too many scripts within each other")
	}
	language := syntax.LangBash // what /bin/sh is differs; Bash knows the most ways to expand
	switch shell {
	case "zsh":
		language = syntax.LangZsh
	case "fish":
		return errors.New("a script of fish with variables is not checked; use sh or an argument list")
	}
	file, err := syntax.NewParser(syntax.Variant(language)).Parse(strings.NewReader(script), "")
	if err != nil {
		return fmt.Errorf("its script is not read: %w", err)
	}
	feeds, writes := redirects(file)
	c.fed, c.writes = c.fed || feeds, c.writes || writes
	c.node(file, c.fed)
	return c.err
}

// redirects reports whether a script gives programs text to read elsewhere than in
// a pipe, which may reach any command of it, and whether it writes files.
func redirects(file *syntax.File) (feeds, writes bool) {
	functions, pipes := false, false
	for node := range syntax.Preorder(file) {
		switch n := node.(type) {
		case *syntax.Redirect:
			switch n.Op {
			case syntax.RdrIn, syntax.RdrInOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
				feeds = true
			case syntax.DplOut: // of another descriptor
			default:
				writes = writes || n.Word == nil || n.Word.Lit() != "/dev/null"
			}
		case *syntax.FuncDecl:
			functions = true
		case *syntax.BinaryCmd:
			pipes = pipes || n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		}
	}
	return feeds || functions && pipes, writes
}

// node checks what is below a node.
func (c *scriptCheck) node(root syntax.Node, fed bool) {
	syntax.Walk(root, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				c.node(n.X, fed)
				c.node(n.Y, true)
				return false
			}
		case *syntax.ProcSubst:
			if !fed {
				c.node(n, true)
				return false
			}
		case *syntax.CoprocClause:
			c.fail(runsText("coproc is not followed"))
		case *syntax.ParamExp:
			if n.Excl || n.Flags != nil || n.Exp != nil && n.Exp.Op == syntax.OtherParamOps {
				c.fail(runsText("a value is expanded once more"))
			}
		case *syntax.DeclClause:
			c.declaration(n)
		case *syntax.Assign:
			c.assignment(n)
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				c.simple(n, fed)
			}
		}
		return c.err == nil
	})
}

func (c *scriptCheck) simple(call *syntax.CallExpr, fed bool) {
	var words []word
	for _, arg := range call.Args {
		words = append(words, c.word(arg))
	}
	if first := words[0]; !first.literal() || strings.ContainsAny(first.text, "*?{}") || strings.Contains(first.text, "[") && first.text != "[" && first.text != "[[" {
		c.fail(runsText("the command on line %d is expanded", call.Pos().Line()))
		return
	}
	inner := commandCheck{scripts: c, fed: fed}
	if err := inner.command(words); err != nil {
		c.fail(err)
	}
}

// declaration refuses to name a variable by a value.
func (c *scriptCheck) declaration(d *syntax.DeclClause) {
	for _, arg := range d.Args {
		if arg.Name == nil && arg.Value != nil && !c.word(arg.Value).literal() {
			c.fail(runsText("%s declares what a value names", d.Variant.Value))
		}
	}
}

// running are the variables of the environment that name what is run.
var running = regexp.MustCompile(`^(PATH|ENV|BASH_ENV|IFS|SHELL|BROWSER|PS[0-4]|LD_.*|DYLD_.*|PYTHON.*|PERL.*|RUBY.*|NODE_.*|GIT_.*|LESS(OPEN|CLOSE)?|.*(COMMAND|PAGER|EDITOR|VISUAL|ASKPASS|_RSH))$`)

func (c *scriptCheck) assignment(a *syntax.Assign) {
	if a.Name == nil || a.Value == nil || c.word(a.Value).literal() || !running.MatchString(a.Name.Value) {
		return
	}
	c.fail(runsText("the variable %s names what is run", a.Name.Value))
}

// constant are variables that hold nothing of a cluster: assignment refuses
// values in PATH.
var constant = []string{"HOME", "PATH"}

// word is a word of the parsed script.
func (c *scriptCheck) word(w *syntax.Word) word {
	var out word
	var text strings.Builder
	var parts func([]syntax.WordPart, bool)
	parts = func(all []syntax.WordPart, quoted bool) {
		for _, part := range all {
			switch p := part.(type) {
			case *syntax.Lit:
				text.WriteString(strings.ReplaceAll(unescape(p.Value, quoted), "${"+spliced+"}", splice))
			case *syntax.SglQuoted:
				text.WriteString(strings.ReplaceAll(p.Value, "${"+spliced+"}", splice)) // spliced before the shell reads quotes
				out.expanded = out.expanded || p.Dollar
			case *syntax.DblQuoted:
				parts(p.Parts, true)
			case *syntax.ParamExp:
				switch {
				case p.Param != nil && slices.Contains(constant, p.Param.Value) && p.Exp == nil && !p.Excl:
					text.WriteString("/home")
				case p.Param != nil && c.ours(p.Param.Value) && p.Exp == nil && !p.Excl && p.Repl == nil:
					text.WriteString(splice)
				default:
					out.expanded = true
				}
			default:
				out.expanded = true
			}
		}
	}
	parts(w.Parts, false)
	out.text = text.String()
	out.values = strings.Contains(out.text, splice)
	return out
}

var escaped, escapedInQuotes = regexp.MustCompile(`(?s)\\(.)`), regexp.MustCompile("(?s)\\\\([$`\"\\\\\n])")

// unescape removes the backslashes that a shell removes.
func unescape(text string, quoted bool) string {
	which := escaped
	if quoted {
		which = escapedInQuotes
	}
	return which.ReplaceAllString(text, "$1")
}

func programName(argument string) string { return path.Base(strings.ReplaceAll(argument, `\`, "/")) }
