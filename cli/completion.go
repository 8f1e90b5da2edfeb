package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
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
