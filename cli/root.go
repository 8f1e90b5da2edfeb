package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/traintop/traintop/cli/examples"
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
	opened.flags(root.PersistentFlags())
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
// stands for one that is left out.
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
