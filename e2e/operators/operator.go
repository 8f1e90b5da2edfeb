// Package operators runs the real operators of training jobs beside a control
// plane of the tests: built from their published modules, with their own resource
// definitions and their own webhooks. Package operator plays them instead, which
// takes no minutes to build.
package operators

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/exporters"
)

// startTimeout bounds the start of one operator: its definitions, its webhooks
// and its caches take seconds on two slow cores.
const startTimeout = time.Minute

// Operator is one real operator. Texts of Config and Args are templates over
// place.
type Operator struct {
	Program controlplane.ModuleProgram
	// Needs are operators that have to run before it.
	Needs []Operator
	// Namespace is where it looks for its own objects.
	Namespace string
	// Definitions and Webhooks are patterns of files of the module.
	Definitions, Webhooks []string
	// Answers are parts of the paths of those webhooks that it serves as it is
	// configured here; nil represents all.
	Answers []string
	// PodsWith is a label: its webhooks on pods see only pods that carry it, as
	// its own installation has it.
	PodsWith string
	// Converts are definitions whose versions it converts, at /convert.
	Converts []string
	// Before are objects that it wants to find when it starts, After files of the
	// module with objects that its webhooks have to admit.
	Before string
	After  []string
	// Config is its file of settings, "" where flags are all.
	Config string
	Args   []string
	// Ready is where it reports over HTTP that it is ready.
	Ready string
	// Serves is a group and version that it serves itself, at {{.Host}}:{{.API}},
	// behind the aggregator of the API server; "" for none.
	Serves string
}

// place is where an operator runs, for the templates.
type place struct {
	Dir, Kubeconfig, Config string
	Certificates            string // the folder of the certificate of its webhooks
	// Host is an address of this machine that the aggregator reaches, "" where the
	// operator serves no API.
	Host string

	Webhook, Metrics, Health, API int // ports
}

// Name is what the operator's program is called.
func (o Operator) Name() string { return o.Program.Name }

// Build makes sure that the programs of the operator and of those that it needs
// exist; see controlplane.ModuleProgram.
func (o Operator) Build(ctx context.Context, progress func(string)) error {
	for _, needed := range o.Needs {
		if err := needed.Build(ctx, progress); err != nil {
			return err
		}
	}
	if _, err := o.program().Build(ctx, progress); err != nil {
		return fmt.Errorf("build %s %s: %w", o.Name(), o.Program.Version, err)
	}
	return nil
}

// program is the operator's program with the files that Start applies.
func (o Operator) program() controlplane.ModuleProgram {
	p := o.Program
	for _, patterns := range [][]string{o.Definitions, o.Webhooks, o.After} {
		p.Keeps = append(p.Keeps, patterns...)
	}
	return p
}

// Start installs and starts the operators that this one needs, and then this one.
// It returns when jobs can be made.
func (o Operator) Start(ctx context.Context, cluster *controlplane.ControlPlane, progress func(string)) error {
	for _, needed := range o.Needs {
		if err := needed.Start(ctx, cluster, progress); err != nil {
			return err
		}
	}
	built, err := o.program().Build(ctx, progress)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := o.start(ctx, cluster, built); err != nil {
		return fmt.Errorf("start %s %s: %w", o.Name(), o.Program.Version, err)
	}
	return nil
}

func (o Operator) start(ctx context.Context, cluster *controlplane.ControlPlane, built controlplane.BuiltProgram) error {
	at, authority, err := o.prepare(cluster)
	if err != nil {
		return err
	}
	manifests := manifests{files: built.Files, port: at.Webhook, authority: authority}
	definitions, err := manifests.definitions(o)
	if err != nil {
		return err
	}
	if _, err := cluster.ApplyObjects(ctx, definitions...); err != nil {
		return err
	}
	if o.Namespace != "" {
		if err := cluster.CreateNamespace(ctx, o.Namespace); err != nil {
			return err
		}
	}
	if _, err := cluster.Apply(ctx, o.Before); err != nil {
		return err
	}
	if err := o.run(ctx, cluster, built.Path, at); err != nil {
		return err
	}
	if err := o.register(ctx, cluster, at); err != nil {
		return err
	}
	webhooks, err := manifests.webhooks(o)
	if err != nil {
		return err
	}
	if _, err := cluster.ApplyObjects(ctx, webhooks...); err != nil {
		return err
	}
	after, err := manifests.read(o.After)
	if err != nil {
		return err
	}
	// A webhook that was registered a moment ago may not be known yet.
	return cluster.Wait(ctx, startTimeout, func(ctx context.Context) error {
		_, err := cluster.ApplyObjects(ctx, after...)
		return err
	})
}

// servingCertificates is where controller-runtime looks for the certificate of
// webhooks below the folder of temporary files, when nothing else is set.
const servingCertificates = "k8s-webhook-server/serving-certs"

// prepare makes the operator's folder, with the certificate of its webhooks and
// its settings, and chooses its ports.
func (o Operator) prepare(cluster *controlplane.ControlPlane) (at place, authority []byte, err error) {
	at = place{Dir: filepath.Join(cluster.Dir, o.Name()), Kubeconfig: cluster.Kubeconfig}
	at.Certificates = filepath.Join(at.Dir, servingCertificates)
	if authority, err = cluster.ServingCertificate(o.Name(), at.Certificates); err != nil {
		return at, nil, err
	}
	ports, err := controlplane.FreePorts(4)
	if err != nil {
		return at, nil, err
	}
	at.Webhook, at.Metrics, at.Health, at.API = ports[0], ports[1], ports[2], ports[3]
	if o.Serves != "" {
		if at.Host, err = exporters.Address(); err != nil {
			return at, nil, fmt.Errorf("%w: %w", controlplane.ErrUnavailable, err)
		}
	}
	if o.Config == "" {
		return at, authority, nil
	}
	settings, err := at.fill(o.Config)
	if err != nil {
		return at, nil, err
	}
	at.Config = filepath.Join(at.Dir, "config.yaml")
	if err := os.WriteFile(at.Config, []byte(settings), 0o600); err != nil {
		return at, nil, fmt.Errorf("write the settings: %w", err)
	}
	return at, authority, nil
}

func (o Operator) run(ctx context.Context, cluster *controlplane.ControlPlane, program string, at place) error {
	guest := controlplane.Guest{
		Program: program, Dir: at.Dir,
		Variables: []string{"TMPDIR=" + at.Dir, "KUBECONFIG=" + at.Kubeconfig, "HEALTH_PORT=" + strconv.Itoa(at.Health)},
	}
	for _, arg := range o.Args {
		filled, err := at.fill(arg)
		if err != nil {
			return err
		}
		guest.Args = append(guest.Args, filled)
	}
	ready, err := at.fill(o.Ready)
	if err != nil {
		return err
	}
	guest.Ready = ready
	return cluster.RunBeside(ctx, guest)
}

// served registers an API with the aggregator: a Service of the namespace leads to
// the operator, and nobody checks its certificate, as in Kueue's own manifest.
const served = `
apiVersion: v1
kind: Service
metadata: {name: served-api, namespace: NAMESPACE}
spec: {ports: [{name: https, port: 443, targetPort: {{.API}}}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: served-api-1, namespace: NAMESPACE, labels: {kubernetes.io/service-name: served-api}}
addressType: IPv4
endpoints: [{addresses: ["{{.Host}}"], conditions: {ready: true}}]
ports: [{name: https, port: {{.API}}, protocol: TCP}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: VERSION.GROUP}
spec:
  group: GROUP
  version: VERSION
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {name: served-api, namespace: NAMESPACE}
`

// register makes the API server hand requests for the operator's own API on to it,
// and waits until it does.
func (o Operator) register(ctx context.Context, cluster *controlplane.ControlPlane, at place) error {
	if o.Serves == "" {
		return nil
	}
	group, version, _ := strings.Cut(o.Serves, "/")
	text, err := at.fill(strings.NewReplacer("NAMESPACE", o.Namespace, "GROUP", group, "VERSION", version).Replace(served))
	if err != nil {
		return err
	}
	if _, err := cluster.Apply(ctx, text); err != nil {
		return err
	}
	return cluster.Wait(ctx, startTimeout, func(ctx context.Context) error {
		return cluster.Clients().Discovery().RESTClient().Get().AbsPath("/apis/" + o.Serves).Do(ctx).Error()
	})
}

func (at place) fill(text string) (string, error) {
	parsed, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", fmt.Errorf("read the template %q: %w", text, err)
	}
	var filled bytes.Buffer
	if err := parsed.Execute(&filled, at); err != nil {
		return "", fmt.Errorf("fill the template %q: %w", text, err)
	}
	return filled.String(), nil
}
