package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/alerts"
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
		return l.config.ReceiverNames(), cobra.ShellCompDirectiveNoFileComp
	}
	cmd.AddCommand(&cobra.Command{
		Use: "test NAME…", Short: "Send one message to show that a receiver works", ValidArgsFunction: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, fmt.Errorf("name the receivers of the configuration to send to"))
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

// testTimeout is how long a receiver may take for a test.
const testTimeout = 30 * time.Second

// testReceivers sends one message to each receiver, once.
func (a *app) testReceivers(ctx context.Context, opened *opening, names []string) error {
	l, err := opened.configured()
	if err != nil {
		return err
	}
	maker, failed := receiverMaker(a), 0
	for _, name := range names {
		kind, service, err := l.config.Receiver(name)
		if err != nil {
			return err
		}
		trying, stop := context.WithTimeout(ctx, testTimeout)
		err = maker.Receiver(name, kind, service).Send(trying, a.testNotice())
		stop()
		if err != nil {
			failed++
			fmt.Fprintf(a.out, "%s: %s\n", shown(name), shown(err.Error()))
			continue
		}
		fmt.Fprintf(a.out, "%s: it took the message\n", shown(name))
	}
	if failed > 0 {
		return fmt.Errorf("%s did not take the message", termtext.Count(failed, "receiver"))
	}
	return nil
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
