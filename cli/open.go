package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/store"
)

// opening holds the flags that every command shares: which cluster or files
// are read, and how much of them.
type opening struct {
	app      *app
	cluster  *genericclioptions.ConfigFlags
	from     []string
	all      bool
	selector string

	readOnly bool
	theme    string
	ascii    bool
}

func (o *opening) flags(f *pflag.FlagSet) {
	o.cluster = genericclioptions.NewConfigFlags(true)
	o.cluster.AddFlags(f)
	f.StringArrayVar(&o.from, "from", nil, "read this `PATH` instead of a cluster: kubectl output or a folder of it, '-' for standard input (repeatable)")
	f.BoolVarP(&o.all, "all-namespaces", "A", false, "all namespaces")
	f.StringVarP(&o.selector, "selector", "l", "", "only jobs with these labels, as kubectl's -l")
	f.BoolVar(&o.readOnly, "readonly", false, "offer nothing that changes the cluster")
	f.StringVar(&o.theme, "theme", "", "colours of the screen: auto, "+strings.Join(themeNames(), ", "))
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII only")
}

// everywhere makes a command cover all namespaces unless one was named.
func (o *opening) everywhere() {
	if *o.cluster.Namespace == "" {
		o.all = true
	}
}

// check finds mistakes that no source has to be opened for.
func (o *opening) check() (labels.Selector, error) {
	if o.all && *o.cluster.Namespace != "" {
		return nil, &usageError{"traintop", errors.New("-n names one namespace and -A all of them; give one of the two")}
	}
	selector, err := labels.Parse(o.selector)
	if err != nil {
		return nil, &usageError{"traintop", fmt.Errorf("-l %q is no label selector: %w", o.selector, err)}
	}
	return selector, nil
}

// once opens the source for a command that answers and ends: it reads no more
// than the namespace asked for.
func (o *opening) once() (*session, error) {
	selector, err := o.check()
	if err != nil {
		return nil, err
	}
	s := &session{store: store.New(o.app.clock), namespace: *o.cluster.Namespace, selector: selector}
	if len(o.from) > 0 {
		s.files = dump.New(o.from, dump.Options{Stdin: o.app.in})
		s.source, s.place = s.files, strings.Join(o.from, ", ")
		return s, nil
	}
	if err := o.openCluster(s, !o.all); err != nil {
		return nil, err
	}
	return s, nil
}

// follow opens the source for the screen, which reads every namespace it may.
func (o *opening) follow() (*session, error) {
	selector, err := o.check()
	if err != nil {
		return nil, err
	}
	if len(o.from) > 0 {
		return o.once()
	}
	s := &session{store: store.New(o.app.clock), namespace: *o.cluster.Namespace, selector: selector}
	if err := o.openCluster(s, false); err != nil {
		return nil, err
	}
	return s, nil
}

func (o *opening) openCluster(s *session, pinned bool) error {
	options := kube.Options{Flags: o.cluster, Now: o.app.clock}
	cluster, err := kube.New(options)
	if err != nil {
		return err
	}
	if pinned {
		s.namespace = cluster.Namespace()
		options.Namespace = s.namespace
		if cluster, err = kube.New(options); err != nil {
			return err
		}
	}
	s.cluster, s.source, s.place = cluster, cluster, cluster.Address()
	return nil
}

// stdinIsUsed reports whether standard input is one of the files read.
func (o *opening) stdinIsUsed() bool { return slices.Contains(o.from, "-") }

// noColor follows no-color.org: set and not empty means no colours.
func noColor() bool { return os.Getenv("NO_COLOR") != "" }
