package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set when a release is built: -ldflags "-X github.com/traintop/traintop/cli.release=v1.2.3".
var release string

// build is what is known of the program itself.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch format {
			case "text":
				_, err := fmt.Fprintln(a.out, version())
				return err
			case "json":
				return json.NewEncoder(a.out).Encode(thisBuild())
			}
			return usage(cmd, fmt.Errorf("there is no output format %q; -o takes text, json", format))
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "text or json")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// thisBuild is as much as the build recorded.
func thisBuild() build {
	b := build{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = cmp.Or(b.Version, info.Main.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				b.Commit = s.Value[:12]
			}
		}
	}
	b.Version = cmp.Or(b.Version, "(devel)")
	return b
}

// version is "traintop v1.2.3 (commit, go1.26.0 linux/amd64)" as far as the
// build recorded it.
func version() string {
	b, commit := thisBuild(), ""
	if b.Commit != "" {
		commit = b.Commit + ", "
	}
	return fmt.Sprintf("traintop %s (%s%s %s)", b.Version, commit, b.Go, b.Platform)
}
