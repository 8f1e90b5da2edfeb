package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// notifyCommand is `traintop notify test NAME` and `traintop notify list`.
func (a *app) notifyCommand(opened *opening) *cobra.Command {
	cmd := &cobra.Command{Use: "notify", Short: "Look at the receivers of incidents and try them", Args: noArguments, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	names := func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		l, err := opened.configured()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return append(l.config.ReceiverNames(), config.EveryReceiver), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.AddCommand(&cobra.Command{
		Use: "test NAME…", Short: "Send one message to show that a receiver works", ValidArgsFunction: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, fmt.Errorf("name the receivers of the configuration to send to; %s is every one, and 'traintop notify list' lists them", config.EveryReceiver))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.testReceivers(cmd.Context(), opened, args) },
	}, &cobra.Command{
		Use: "list", Short: "List the receivers and the rules of incidents", Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.listReceivers(opened) },
	})
	return cmd
}

// testReceivers sends one message to each receiver, once, to all at the same time.
// Results are printed in the order of the names.
func (a *app) testReceivers(ctx context.Context, opened *opening, names []string) error {
	l, err := opened.configured()
	if err != nil {
		return err
	}
	if names, err = l.config.NamedReceivers(names); err != nil {
		return err
	}
	all, maker := make([]alerts.Receiver, len(names)), receiverMaker(a)
	for i, name := range names {
		kind, service, err := l.config.Receiver(name)
		if err != nil {
			return err
		}
		all[i] = maker.Receiver(name, kind, service)
	}
	results := make([]chan error, len(all))
	for i, receiver := range all {
		results[i] = make(chan error, 1)
		go func() {
			trying, stop := context.WithTimeout(ctx, receivers.LongestTry)
			defer stop()
			results[i] <- receiver.Send(trying, a.testNotice())
		}()
	}
	failed := 0
	for i, result := range results {
		words := "it took the message"
		if err := <-result; err != nil {
			failed++
			words = triedWords(err)
		}
		fmt.Fprintf(a.out, "%s: %s\n", shown(names[i]), shown(words))
	}
	if failed > 0 {
		return fmt.Errorf("%s did not take the message", termtext.Count(failed, "receiver"))
	}
	return nil
}

// triedWords says why a receiver did not take a message, and whether a watcher would
// try again.
func triedWords(err error) string {
	again := (*alerts.RetryError)(nil)
	switch {
	case !errors.As(err, &again):
		return err.Error()
	case again.After > 0:
		return fmt.Sprintf("%v; a watcher tries again after %s", err, again.After)
	}
	return err.Error() + "; a watcher tries again"
}

// testNotice is a message about no incident.
func (a *app) testNotice() alerts.Notice {
	now := a.clock()
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return alerts.Notice{
		ID: fmt.Sprintf("test-%d", now.UnixNano()), Change: alerts.Test, At: now, Cluster: "none",
		Incident: alerts.Incident{
			ID: alerts.IncidentID(fmt.Sprintf("%016x", now.UnixNano())), Rule: "test", Severity: train.SeverityInfo, Rank: -1, Since: now, Opened: now,
			Title: "traintop on " + host + " can reach this receiver; nothing is wrong", Next: "Nothing is to be done.",
		},
	}
}

// listReceivers prints what is configured.
func (a *app) listReceivers(opened *opening) error {
	l, err := opened.configured()
	if err != nil {
		return err
	}
	if names := l.config.ReceiverNames(); len(names) == 0 {
		fmt.Fprintf(a.out, "no receiver is configured in %s: nothing is sent anywhere (docs/alerts.md)\n", shown(config.Path()))
	} else {
		for _, name := range names {
			kind, _, err := l.config.Receiver(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "receiver %-20s %s\n", shown(name), kind.Type)
		}
	}
	for _, rule := range alerts.RulesFrom(l.config.AlertRules()) {
		state := ""
		if rule.Off {
			state = " (off)"
		}
		fmt.Fprintf(a.out, "rule     %-20s %s%s\n", shown(rule.Name), shown(rule.Means), state)
	}
	return nil
}
