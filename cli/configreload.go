package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/ui"
)

// reloads reads the configuration again after each change of its files. adopt
// gets what was read, for sessions that begin later.
func (o *opening) reloads(now config.Config, adopt func(config.Config)) func(context.Context, func(func(string) ui.Reload)) {
	return func(ctx context.Context, changed func(func(string) ui.Reload)) {
		config.Watch(ctx, config.Files, func() {
			next, problems, err := config.Read(config.Path())
			if err != nil {
				changed(func(string) ui.Reload {
					return ui.Reload{Failed: true, Warnings: forScreen([]string{"nothing changed: " + err.Error()})}
				})
				return
			}
			shell, wrong := shellConfig(next)
			before, warnings := now, slices.Concat(problems, wrong).Lines()
			if _, wrong := next.Formats(); wrong != nil {
				warnings = append(warnings, wrong.Error())
			}
			now = next
			adopt(next)
			changed(func(context string) ui.Reload {
				return ui.Reload{
					Config: shell, Settings: o.settings(next, context),
					Warnings: forScreen(warnings), NextStart: config.NextStart(before, next, context),
				}
			})
		})
	}
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
