package actions

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// executor answers commands from a table: what a container would do.
type executor map[string]func(ctx context.Context, e Exec) error

func (x executor) Execute(ctx context.Context, e Exec) error {
	if do, there := x[e.Command[0]]; there {
		return do(ctx, e)
	}
	return &Failure{Kind: NoProgram, Text: e.Command[0] + " is not there"}
}

func container() executor {
	return executor{
		"hostname": func(_ context.Context, e Exec) error {
			_, err := e.Stdout.Write([]byte("bert-0\n"))
			return err
		},
		"false": func(_ context.Context, e Exec) error {
			_, err := e.Stderr.Write([]byte("no"))
			return errors.Join(&ExitError{Code: 3}, err)
		},
		"sleep": func(ctx context.Context, _ Exec) error {
			<-ctx.Done()
			return &Failure{Kind: TooLate, Text: context.Cause(ctx).Error()}
		},
		"yes": func(ctx context.Context, e Exec) error {
			for ctx.Err() == nil {
				if _, err := e.Stdout.Write([]byte(strings.Repeat("y\n", 100))); err != nil {
					return err
				}
			}
			return ctx.Err()
		},
	}
}

func TestCollect(t *testing.T) {
	for name, c := range map[string]struct {
		commands [][]string
		exit     int
		out      string
		cut      bool
		failure  FailureKind
	}{
		"the first that is there": {[][]string{{"nvidia-smi"}, {"hostname"}, {"false"}}, 0, "bert-0\n", false, ""},
		"an exit code":            {[][]string{{"false"}, {"hostname"}}, 3, "", false, ""},
		"nothing is there":        {[][]string{{"a"}, {"b"}}, -1, "", false, NoProgram},
		"no commands":             {nil, -1, "", false, NoProgram},
		"never ends":              {[][]string{{"sleep"}}, -1, "", false, TooLate},
		"prints for ever":         {[][]string{{"yes"}}, -1, strings.Repeat("y\n", 500), true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := Collect(t.Context(), container(), Target{Label: "3"}, c.commands, 1000, 50*time.Millisecond)
			kind := FailureKind("")
			if a.Failure != nil {
				kind = a.Failure.Kind
			}
			if a.Exit != c.exit || string(a.Stdout) != c.out || a.Cut != c.cut || kind != c.failure || a.Target.Label != "3" {
				t.Errorf("%+v, failure %q", a, kind)
			}
		})
	}
}
