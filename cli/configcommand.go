package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/ui"
)

func (a *app) configCommand() *cobra.Command {
	parent := &cobra.Command{
		Use:   "config",
		Short: "Check the configuration file",
		Long:  "Check the configuration file. docs/configuration.md has all settings.",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	parent.AddCommand(a.configCheckCommand(), &cobra.Command{
		Use:   "path",
		Short: "Print where the configuration file is",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, termtext.Line(config.Path()))
			return err
		},
	})
	return parent
}

func (a *app) configCheckCommand() *cobra.Command {
	format := "text"
	check := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Name every setting that cannot be used, with its line",
		Long: `Name every setting that cannot be used, with its file, its line, its value and
what is allowed. Without a FILE the configuration file is checked, with all that
it refers to; there need be none. The exit code is 1 where something is wrong.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(cmd, fmt.Errorf("name one file, not %d", len(args)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usage(cmd, fmt.Errorf("-o %s is not a format; formats are text, json", format))
			}
			if len(args) > 0 {
				return a.checkConfig(config.CheckNamed(args[0]), args[0], format)
			}
			return a.checkConfig(config.Check(config.Path()), config.Path(), format)
		},
	}
	check.Flags().StringVarP(&format, "output", "o", format, "`FORMAT` of the answer: text or json")
	return check
}

// configAnswer is the answer of config check as JSON.
type configAnswer struct {
	File     string          `json:"file"`
	Missing  bool            `json:"missing,omitempty"` // there is no such file, and need be none
	Settings int             `json:"settings"`
	Problems config.Problems `json:"problems"`
}

func (a *app) checkConfig(checked config.Checked, path, format string) error {
	checked.AddCustom(path, ui.CustomProblems(checked.Custom))
	if format == "json" {
		answer := configAnswer{File: path, Missing: checked.Missing, Settings: checked.Settings, Problems: checked.Problems}
		if answer.Problems == nil {
			answer.Problems = config.Problems{}
		}
		if err := jsontext.Print(a.out, answer); err != nil {
			return err
		}
	} else if err := a.printProblems(path, checked); err != nil {
		return err
	}
	if n := len(checked.Problems); n > 0 {
		return fmt.Errorf("the configuration has %s", termtext.Count(n, "problem"))
	}
	return nil
}

func (a *app) printProblems(path string, checked config.Checked) error {
	for _, problem := range checked.Problems {
		if _, err := fmt.Fprintln(a.out, shown(problem.String())); err != nil {
			return err
		}
	}
	if len(checked.Problems) > 0 {
		return nil
	}
	text := termtext.Count(checked.Settings, "setting") + ", nothing wrong"
	if checked.Missing {
		text = "there is no such file, so everything is as without settings"
	}
	_, err := fmt.Fprintf(a.out, "%s: %s\n", termtext.Line(path), text)
	return err
}

// adopting is what goes on while the configuration changes.
type adopting interface {
	// adopt replaces the configuration of sessions that begin later.
	adopt(config.Config)
	// parse replaces the formats that logs are parsed with, and returns what
	// becomes of the logs that are read already.
	parse(formats.Options) string
}

// reloads reads the configuration again after each change of its files, and
// passes it to what goes on.
func (o *opening) reloads(now config.Config, on adopting) func(context.Context, func(func(string) ui.Reload)) {
	return func(ctx context.Context, changed func(func(string) ui.Reload)) {
		config.Watch(ctx, config.Files, func() {
			next, problems, err := readAgain(config.Path(), &now)
			if err != nil {
				changed(func(string) ui.Reload {
					return ui.Reload{Failed: true, Warnings: forScreen([]string{"nothing changed: " + err.Error()})}
				})
				return
			}
			shell, wrong := shellConfig(next)
			before, warnings := now, slices.Concat(problems, wrong).Lines()
			if wrong := o.loaded.parse(next); wrong != nil {
				warnings = append(warnings, wrong.Error())
			}
			now = next
			on.adopt(next)
			logs := ""
			if !slices.Equal(before.Patterns, next.Patterns) {
				logs = on.parse(*o.loaded.formats.Load())
			}
			changed(func(context string) ui.Reload {
				return ui.Reload{
					Config: shell, Settings: o.settings(next, context),
					Warnings: forScreen(warnings), NextStart: config.NextStart(before, next, context), Logs: logs,
				}
			})
		})
	}
}

// readAgain reads a configuration in place of the one that holds. A file that went away
// lifts nothing: readonly may be set in it.
func readAgain(path string, now *config.Config) (next config.Config, problems config.Problems, err error) {
	if _, err := os.Stat(path); err != nil && !now.Missing() {
		return next, nil, fmt.Errorf("%s is no longer there; its settings hold until the next start", path)
	}
	return config.Read(path)
}

// shellConfig is the configuration of all contexts for the interface, and what
// in the files that it refers to cannot be used.
func shellConfig(c config.Config) (ui.Config, config.Problems) {
	own, problems := config.OwnThemes()
	c = config.WithK9s(c)
	return ui.Config{
		LogStreams: config.Number(c.LogStreams), Thresholds: c.Thresholds(), Probes: c.OwnProbes(), Themes: own, Custom: c.Custom(),
	}, problems
}

// forScreen shortens the paths of files in warnings: a notice is one line.
func forScreen(warnings []string) []string {
	short := make([]string, len(warnings))
	for i, text := range warnings {
		short[i] = strings.ReplaceAll(text, filepath.Dir(config.Path())+string(filepath.Separator), "")
	}
	return short
}
