package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/testdata/demo"
)

func (a *app) demoCommand(opened *opening) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show a built-in cluster: no cluster and no network needed",
		Long:  "Show a built-in cluster with jobs of every kind in the states that people meet.\nIt is a dump like any other, read the way --from reads one.",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			session, err := opened.demo()
			if err != nil {
				return err
			}
			if !a.screen {
				return a.demoWithoutScreen(cmd.Context(), session)
			}
			return a.show(cmd.Context(), opened, session)
		},
	}
}

func (o *opening) demo() (*session, error) {
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	s.context, s.place = "demo", "the demo"
	s.files = dump.New([]string{"."}, dump.Options{FS: demo.Files, Name: "demo", Now: o.app.clock})
	s.source = s.files
	return s, nil
}

func (a *app) demoWithoutScreen(ctx context.Context, session *session) error {
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	jobs, err := session.pick(snapshot, nil)
	if err != nil {
		return err
	}
	return session.printJobs(a.out, jobs, snapshot, "table")
}
