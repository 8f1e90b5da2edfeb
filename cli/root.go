package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/cli/examples"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

const about = `traintop watches training jobs on Kubernetes: every PyTorchJob, TrainJob, JobSet,
MPIJob, TFJob, RayJob, Volcano and batch Job with its phase, ranks, GPUs and
queue, live, with read-only rights and nothing installed in the cluster.

Without a cluster: 'traintop demo' shows one that is built in, and
'traintop --from FILE' reads what kubectl printed.`

func (a *app) root() *cobra.Command {
	opened := &opening{app: a}
	root := &cobra.Command{
		Use:           "traintop",
		Short:         "Watch training jobs on Kubernetes",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noArguments,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.asData = printsData(cmd)
			if opened.ascii {
				useASCII(a)
			}
			return usage(cmd, emptyFlag(cmd.Flags()))
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !a.screen {
				return a.jobsWithoutScreen(cmd.Context(), opened)
			}
			opened.onScreen = true
			return a.openScreen(cmd.Context(), opened)
		},
	}
	opened.persistentFlags(root.PersistentFlags())
	root.SetFlagErrorFunc(usage)
	root.AddCommand(a.jobsCommand(opened), a.curvesCommand(opened), a.compareCommand(opened), a.logsCommand(opened), a.gpusCommand(opened), a.diagnoseCommand(opened), a.recordCommand(opened), a.watchCommand(opened), a.notifyCommand(opened), a.waitCommand(opened), a.demoCommand(opened), a.configCommand(), a.versionCommand(), a.completionCommand())
	help := helpCommand()
	root.SetHelpCommand(help)
	root.AddCommand(help) // cobra adds it later, without an example
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	examples.Add(root)
	a.addCompletion(root, opened)
	root.CompletionOptions.DisableDefaultCmd = true
	return root
}

// persistentFlags adds the flags that every command has.
func (o *opening) persistentFlags(f *pflag.FlagSet) {
	o.cluster = genericclioptions.NewConfigFlags(true)
	o.cluster.AddFlags(f)
	f.VisitAll(func(flag *pflag.Flag) { _ = f.SetAnnotation(flag.Name, emptyFlagAnnotation, nil) })
	o.timeoutFlag = f.Lookup(requestTimeoutFlag)
	f.VisitAll(func(flag *pflag.Flag) {
		if !slices.Contains(ofFilesToo, flag.Name) {
			o.connection = append(o.connection, flag)
		}
	})
	f.StringArrayVar(&o.from, "from", nil, "read this `PATH` instead of a cluster: kubectl output, a log, a folder of them, a recording, '-' for standard input, RANK=PATH for a rank's log (repeatable)")
	f.StringVar(&o.at, "at", "", "with a recording, show this `TIME` of it: 14:07, 2026-11-20T14:07:00Z, -5m before its end")
	f.BoolVarP(&o.all, "all-namespaces", "A", false, "all namespaces")
	f.StringVarP(&o.selector, "selector", "l", "", "only jobs with these labels, as kubectl's -l")
	_ = f.SetAnnotation("selector", emptyFlagAnnotation, nil)
	f.StringVar(&o.prometheus, prometheusFlag, "", "read what GPUs do from the Prometheus, Thanos, Mimir or VictoriaMetrics at this `URL`, or off for none; without it one is looked for in the cluster")
	o.connection = append(o.connection, f.Lookup(prometheusFlag))
	f.BoolVar(&o.readOnly, "readonly", false, "offer nothing that changes the cluster")
	f.StringVar(&o.theme, "theme", "", "colours of the screen: "+strings.Join(themes.Names(), ", ")+", a file in traintop/themes, a skin of k9s as k9s-NAME")
	f.BoolVar(&o.ascii, "ascii", false, "draw and print with ASCII only")
}

// ofFilesToo are the flags of kubectl that mean something of files, or choose nobody
// to ask.
var ofFilesToo = []string{"namespace", requestTimeoutFlag, "cache-dir", "kubeconfig"}

// printsData reports whether a command prints what is not its own to change: data for
// programs, lines of logs.
func printsData(cmd *cobra.Command) bool {
	format := cmd.Flags().Lookup("output")
	return cmd.Name() == "logs" || format != nil && slices.Contains([]string{"json", "yaml", "csv", "name"}, format.Value.String())
}

// useASCII prints signs of typography as ASCII.
func useASCII(a *app) {
	if _, does := a.out.(termtext.ASCIIWriter); !does && !a.asData {
		a.out, a.err = termtext.ASCIIWriter{To: a.out}, termtext.ASCIIWriter{To: a.err}
	}
}

// helpCommand is `traintop help COMMAND`, as kubectl has it beside --help.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return usage(cmd, fmt.Errorf("there is no command %q%s", strings.Join(args, " "), suggestion(cmd.Root(), args[0])))
			}
			about.InitDefaultHelpFlag()
			about.InitDefaultVersionFlag()
			return about.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if about, rest, err := cmd.Root().Find(args); err == nil && len(rest) == 0 {
				for _, below := range about.Commands() {
					names = append(names, below.Name())
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// emptyFlagAnnotation marks flags that kubectl has too, where an empty value
// represents one that is left out.
const emptyFlagAnnotation = "traintop/may-be-empty"

// emptyFlag returns an error for a flag that was typed with an empty value, as an
// unset variable of a shell gives: it would drop what the flag was to bound or
// to choose.
func emptyFlag(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if _, may := f.Annotations[emptyFlagAnnotation]; may || err != nil {
			return
		}
		empty := f.Value.String() == ""
		if list, is := f.Value.(pflag.SliceValue); is {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if empty {
			_, does := pflag.UnquoteUsage(f)
			err = fmt.Errorf("--%s \"\" is empty (an unset variable?); leave it out or give it a value: %s", f.Name, does)
		}
	})
	return err
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasParent() {
		return usage(cmd, fmt.Errorf("%q takes no arguments, but got %q", cmd.CommandPath(), args))
	}
	return usage(cmd, fmt.Errorf("there is no command %q%s", args[0], suggestion(cmd, args[0])))
}

func suggestion(cmd *cobra.Command, typed string) string {
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(typed); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	return ""
}
