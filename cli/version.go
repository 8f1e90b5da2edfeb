package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set when a release is built: -ldflags "-X github.com/traintop/traintop/cli.release=v1.2.3".
var release string

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, version())
			return err
		},
	}
}

// version is "traintop v1.2.3 (commit, go1.26.0 linux/amd64)" as far as the
// build recorded it.
func version() string {
	name, commit := release, ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if name == "" {
			name = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				commit = s.Value[:12] + ", "
			}
		}
	}
	if name == "" {
		name = "(devel)"
	}
	return fmt.Sprintf("traintop %s (%s%s %s/%s)", name, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
