package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
)

// shells are those with a completion script.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script for bash, zsh, fish or powershell",
		Long:      "Print a completion script. For bash: source <(traintop completion bash)",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage(cmd, fmt.Errorf("name one shell: %s", strings.Join(shells, ", ")))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			write := completionWriter(cmd.Root(), args[0])
			if write == nil {
				return usage(cmd, fmt.Errorf("there is no completion for %q; shells are %s", args[0], strings.Join(shells, ", ")))
			}
			return write(a.out)
		},
	}
}

func completionWriter(root *cobra.Command, shell string) func(io.Writer) error {
	switch shell {
	case "bash":
		return func(w io.Writer) error { return root.GenBashCompletionV2(w, true) }
	case "zsh":
		return root.GenZshCompletion
	case "fish":
		return func(w io.Writer) error { return root.GenFishCompletion(w, true) }
	case "powershell":
		return root.GenPowerShellCompletionWithDesc
	}
	return nil
}

// completionTime is how long a person waits for a completion; what is known by
// then is offered. Found by feel.
const completionTime = 4 * time.Second

// completer completes words of a command line.
type completer func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// addCompletion completes flags of all commands, and jobs of those that take
// some.
func (a *app) addCompletion(root *cobra.Command, opened *opening) {
	for flag, complete := range map[string]completer{
		"theme":     cobra.FixedCompletions(themes.Names(), cobra.ShellCompDirectiveNoFileComp),
		"context":   completeContexts(opened),
		"namespace": completeNamespaces(opened),
	} {
		_ = root.RegisterFlagCompletionFunc(flag, complete)
	}
	for _, cmd := range root.Commands() {
		if most, takes := map[string]int{"jobs": 1000, "compare": 1000, "diagnose": 1000, "wait": 1000, "curves": 1000, "logs": 1}[cmd.Name()]; takes {
			cmd.ValidArgsFunction = completeJobs(opened, most)
		}
	}
}

func completeContexts(opened *opening) completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		contexts, err := client.Contexts(opened.cluster)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		var names []string
		for _, c := range contexts {
			names = append(names, termtext.Line(c.Name))
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func completeNamespaces(opened *opening) completer {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
		defer cancel()
		if len(opened.from) > 0 {
			return namespacesOfJobs(ctx, opened), cobra.ShellCompDirectiveNoFileComp
		}
		cluster, err := kube.New(kube.Options{Flags: opened.cluster, Once: true, Now: opened.app.clock})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		names, _ := cluster.Namespaces(ctx) // those that came; the API server checks how they are spelled
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

func namespacesOfJobs(ctx context.Context, opened *opening) []string {
	var names []string
	for _, name := range readJobNames(ctx, opened) {
		if namespace, _, found := strings.Cut(name, "/"); found {
			names = append(names, namespace)
		}
	}
	return sortedOnce(names)
}

// completeJobs completes the names of jobs, as NAME, or as NAMESPACE/KIND/NAME
// where a slash was typed.
func completeJobs(opened *opening, most int) completer {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
		defer cancel()
		var names []string
		for _, name := range readJobNames(ctx, opened) {
			if !strings.Contains(typed, "/") {
				name = name[strings.LastIndexByte(name, '/')+1:]
			}
			if strings.HasPrefix(name, typed) && !slices.Contains(args, name) {
				names = append(names, name)
			}
		}
		return sortedOnce(names), cobra.ShellCompDirectiveNoFileComp
	}
}

// readJobNames reads the jobs, as NAMESPACE/KIND/NAME.
func readJobNames(ctx context.Context, opened *opening) []string {
	session, err := opened.once()
	if err != nil {
		return nil
	}
	session.say = nil
	if _, err := session.gather(ctx); err != nil && ctx.Err() == nil {
		return nil
	}
	jobs, err := session.pick(session.store.Snapshot(), nil)
	if err != nil {
		return nil
	}
	var names []string
	for _, job := range jobs {
		names = append(names, termtext.Line(job.Ref.String()))
	}
	return names
}

func sortedOnce(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
