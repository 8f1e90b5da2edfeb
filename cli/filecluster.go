package cli

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui"
)

// fileCluster answers requests to a cluster from files.
type fileCluster struct {
	session *session
	source  *following
}

func (f *fileCluster) start(ctx context.Context, failed func(error)) {
	f.source = follow(ctx, f.session, failed)
}

func (f *fileCluster) stop() { f.source.stop() }

// parse implements adopting. The content of a recording was parsed when it was
// made, and standard input cannot be read twice.
func (f *fileCluster) parse(o formats.Options) string {
	if f.session.files == nil {
		return "a recording keeps the curves that were read when it was made"
	}
	if !f.session.files.UseFormats(o) {
		return "standard input is read with your formats at the next start"
	}
	return "logs are read again with your formats"
}

// adopt implements adopting: no session of files begins later.
func (f *fileCluster) adopt(config.Config) {}

// Contexts implements ui.Cluster: the files are the only context.
func (f *fileCluster) Contexts(context.Context) ([]ui.Context, error) {
	return []ui.Context{{Name: f.session.context, Cluster: "files", Current: true}}, nil
}

// Namespaces implements ui.Cluster: those of the objects that were read.
func (f *fileCluster) Namespaces(context.Context) ([]string, error) {
	return nil, nil
}

// Manifest implements ui.Cluster: the object as it is in its file.
func (f *fileCluster) Manifest(_ context.Context, ref train.Ref) (string, error) {
	if f.session.files == nil {
		return "", fmt.Errorf("the recording %s was made of it", f.session.place)
	}
	text, err := f.session.files.Manifest(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	return string(text), err
}

// UseNamespace implements ui.Cluster: files are read whole.
func (f *fileCluster) UseNamespace(string) {}

// SwitchContext implements ui.Cluster.
func (f *fileCluster) SwitchContext(context.Context, string) (ui.Session, error) {
	return ui.Session{}, errors.New("files are shown, and they have no other context; start traintop without --from to see a cluster")
}

// Stream implements ui.Cluster: all logs among files are read anyway.
func (f *fileCluster) Stream(*streams.Plan) {}

// ReadAgain implements ui.LogReader.
func (f *fileCluster) ReadAgain(id train.StreamID) {
	if f.session.files != nil {
		f.session.files.ReadAgain(id)
	}
}
