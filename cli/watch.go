package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/traintop/traintop/ui"
)

// watch opens the screen and follows the source until the person leaves.
func (a *app) watch(ctx context.Context, opened *opening) error {
	config, warnings, err := readConfig(configPath())
	if err != nil {
		return err
	}
	session, err := opened.follow()
	if err != nil {
		return err
	}
	memory, err := ui.OpenMemory(ui.MemoryPath())
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	defer func() {
		for _, w := range warnings {
			fmt.Fprintln(a.err, "traintop:", w)
		}
	}()
	options := opened.screen(config.in(session.context), session)
	options.Memory = memory
	options.Warnings = warnings
	return a.show(ctx, opened, session, options)
}

// screen translates flags and settings into what the interface is given;
// flags win.
func (o *opening) screen(s settings, session *session) ui.Options {
	return ui.Options{
		Session:    ui.Session{Store: session.store, Context: session.context, Namespace: session.namespace},
		Favourites: s.Favourites,
		Pinned:     session.namespace != "" || o.all,
		Selector:   o.selector,
		ReadOnly:   o.readOnly || set(s.ReadOnly),
		Theme:      cmp.Or(o.theme, s.Theme),
		ASCII:      o.ascii || set(s.ASCII),
		NoMouse:    s.Mouse != nil && !*s.Mouse,
		NoColor:    noColor(),
	}
}

func set(flag *bool) bool { return flag != nil && *flag }

// show runs the source beside the interface. A source that can never give
// anything (no such file) ends the interface, and its error is the answer.
func (a *app) show(ctx context.Context, opened *opening, session *session, options ui.Options) error {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	var cluster interface {
		ui.Cluster
		start(context.Context, func(error))
		stop()
	}
	if session.cluster != nil {
		cluster = &liveCluster{opened: opened, session: session}
	} else {
		cluster = &fileCluster{session: session}
	}
	options.Cluster = cluster
	cluster.start(ctx, leave)
	defer cluster.stop()

	if err := ui.Run(ctx, options); err != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != nil && cause != context.Canceled {
		return cause
	}
	return nil
}

// following is a source that runs until it is stopped.
type following struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

func follow(ctx context.Context, s *session, failed func(error)) *following {
	ctx, cancel := context.WithCancel(ctx)
	f := &following{cancel: cancel}
	f.done.Go(func() {
		if err := s.source.Run(ctx, s.store); err != nil && ctx.Err() == nil {
			failed(err)
		}
	})
	return f
}

func (f *following) stop() {
	f.cancel()
	f.done.Wait()
}

// contextOfFiles is what stands in the header where a cluster has its context.
func contextOfFiles(paths []string) string { return strings.Join(paths, " ") }
