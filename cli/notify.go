package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/alerts/receivers"
	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/jsontext"
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
		Use: "test NAME...", Short: "Send one message to show that a receiver works", ValidArgsFunction: names,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(cmd, fmt.Errorf("name the receivers of the configuration to send to; %s is every one, and 'traintop notify list' lists them", config.EveryReceiver))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.testReceivers(cmd.Context(), opened, args) },
	}, a.notifyListCommand(opened))
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

// triedWords reports why a receiver did not take a message, and whether a watcher
// would try again.
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

// notifyListCommand is `traintop notify list`.
func (a *app) notifyListCommand(opened *opening) *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use: "list", Short: "List the receivers and the rules of incidents", Args: noArguments,
		Long: `List the receivers of the configuration, and the rules of incidents in their
order: how long a trouble lasts before it is sent, after how long it is sent again
while it is open, and to which receivers. A rule that names none sends to all that
'traintop watch --notify' names.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if format != "text" && format != "json" {
				return usage(cmd, fmt.Errorf("there is no output format %q; -o takes text, json", format))
			}
			l, err := opened.configured()
			if err != nil {
				return err
			}
			answer, err := notifyAnswerOf(l.config)
			if err != nil {
				return err
			}
			if format == "json" {
				return jsontext.Print(a.out, answer)
			}
			return answer.print(a.out)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "text or json")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// notifyAnswer is the answer of notify list: what is configured, without secrets.
type notifyAnswer struct {
	Receivers []listedReceiver `json:"receivers"`
	Rules     []listedRule     `json:"rules"`
}

type listedReceiver struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// listedRule is a rule of incidents. Rules are in the order in which they are tried.
type listedRule struct {
	Name  string `json:"name"`
	Means string `json:"means,omitempty"`
	// Off is true where the rule makes no incidents.
	Off bool `json:"off"`
	// ForSeconds is how long a trouble lasts before it is sent, 0 for at once.
	ForSeconds float64 `json:"forSeconds"`
	// RepeatSeconds is after how long an open incident is sent again, 0 for never.
	RepeatSeconds float64 `json:"repeatSeconds"`
	// Receivers are those that the rule names; none is all that --notify names.
	Receivers []string `json:"receivers"`
	// Limits are what it narrows and holds back beside that, in words.
	Limits []string `json:"limits"`

	rule *alerts.Rule
}

// notifyAnswerOf lists what a configuration has.
func notifyAnswerOf(c config.Config) (*notifyAnswer, error) {
	answer := &notifyAnswer{Receivers: []listedReceiver{}}
	for _, name := range c.ReceiverNames() {
		kind, _, err := c.Receiver(name)
		if err != nil {
			return nil, err
		}
		answer.Receivers = append(answer.Receivers, listedReceiver{Name: name, Type: kind.Type})
	}
	rules := alerts.RulesFrom(c.AlertRules())
	for i := range rules {
		rule := &rules[i]
		answer.Rules = append(answer.Rules, listedRule{
			Name: rule.Name, Means: rule.Means, Off: rule.Off, rule: rule,
			ForSeconds: rule.For.Seconds(), RepeatSeconds: rule.Repeat.Seconds(), Receivers: append([]string{}, rule.Receivers...), Limits: rule.LimitWords(),
		})
	}
	return answer, nil
}

// print writes the answer as two tables.
func (n *notifyAnswer) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 8, 3, ' ', 0)
	if len(n.Receivers) == 0 {
		fmt.Fprintf(w, "no receiver is configured in %s: nothing is sent anywhere (docs/alerts.md)\n", shown(config.Path()))
	} else {
		fmt.Fprintln(w, "RECEIVER\tTYPE")
	}
	for _, one := range n.Receivers {
		fmt.Fprintf(w, "%s\t%s\n", shown(one.Name), one.Type)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nRULE\tAFTER\tAGAIN\tRECEIVERS\tLIMITS\tINCIDENT")
	for _, one := range n.Rules {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", shown(one.Name), one.rule.AfterWords(), one.rule.RepeatWords(), n.receiverWords(one), shown(cmp.Or(strings.Join(one.Limits, "; "), "-")), shown(cmp.Or(one.Means, "-")))
	}
	return w.Flush()
}

// receiverWords reports to whom a rule sends, and which of them cannot be used.
func (n *notifyAnswer) receiverWords(one listedRule) string {
	switch {
	case one.Off:
		return "none: off"
	case len(one.Receivers) == 0:
		return "all"
	}
	var words []string
	for _, name := range one.Receivers {
		word := shown(name)
		if !slices.ContainsFunc(n.Receivers, func(r listedReceiver) bool { return r.Name == name }) {
			word += " (not usable)"
		}
		words = append(words, word)
	}
	return strings.Join(words, ",")
}
