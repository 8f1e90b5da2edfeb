package cli

import (
	"context"
	"slices"

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
					return ui.Reload{Failed: true, Warnings: []string{"the configuration stays as it was: " + err.Error()}}
				})
				return
			}
			before, warnings := now, problems.Lines()
			if _, wrong := next.Formats(); wrong != nil {
				warnings = append(warnings, wrong.Error())
			}
			now = next
			adopt(next)
			changed(func(context string) ui.Reload {
				return ui.Reload{
					Config: shellConfig(next), Settings: o.settings(next, context),
					Warnings: slices.Clone(warnings), NextStart: config.NextStart(before, next, context),
				}
			})
		})
	}
}

// shellConfig is the configuration of all contexts for the interface.
func shellConfig(c config.Config) ui.Config {
	return ui.Config{LogStreams: config.Number(c.LogStreams), Thresholds: c.Thresholds(), Probes: c.OwnProbes()}
}
