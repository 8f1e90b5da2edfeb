package operator

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// lives holds one template for each kind or family of kinds.
//
//go:embed lives/*.yaml
var lives embed.FS

// Kind is a kind of job that an operator can play.
type Kind struct {
	// Group and Kind are how a job of it is listed.
	Group, Kind string
	// file is its template in lives/.
	file string
	// replicaSpecs, container and roles fill the template that the kinds of
	// kubeflow.org/v1 share.
	replicaSpecs, container string
	roles                   []role
}

type role struct {
	Name     string
	Replicas int
}

// Kinds lists every kind of job that traintop knows.
func Kinds() []Kind {
	return []Kind{
		{Group: "batch", Kind: "Job", file: "batchjob"},
		PyTorchJob(2),
		{Group: "kubeflow.org", Kind: "TFJob", file: "kubeflow", replicaSpecs: "tfReplicaSpecs", container: "tensorflow", roles: []role{{"Chief", 1}, {"PS", 1}, {"Worker", 1}}},
		{Group: "kubeflow.org", Kind: "XGBoostJob", file: "kubeflow", replicaSpecs: "xgbReplicaSpecs", container: "xgboost", roles: []role{{"Master", 1}, {"Worker", 1}}},
		{Group: "kubeflow.org", Kind: "PaddleJob", file: "kubeflow", replicaSpecs: "paddleReplicaSpecs", container: "paddle", roles: []role{{"Worker", 2}}},
		{Group: "kubeflow.org", Kind: "JAXJob", file: "kubeflow", replicaSpecs: "jaxReplicaSpecs", container: "jax", roles: []role{{"Worker", 2}}},
		{Group: "kubeflow.org", Kind: "MPIJob", file: "mpijob"},
		{Group: "trainer.kubeflow.org", Kind: "TrainJob", file: "trainjob"},
		{Group: "jobset.x-k8s.io", Kind: "JobSet", file: "jobset"},
		{Group: "batch.volcano.sh", Kind: "Job", file: "volcano"},
		{Group: "ray.io", Kind: "RayJob", file: "rayjob"},
		{Group: "ray.io", Kind: "RayCluster", file: "raycluster"},
		{Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet", file: "leaderworkerset"},
		{Group: "kai.alibabacloud.com", Kind: "TrainingJob", file: "arena"},
		{Group: "", Kind: "PodGroup", file: "podgroup"},
	}
}

// PyTorchJob is a PyTorchJob of a master and so many workers, one more rank
// than workers.
func PyTorchJob(workers int) Kind {
	return Kind{Group: "kubeflow.org", Kind: "PyTorchJob", file: "kubeflow", replicaSpecs: "pytorchReplicaSpecs", container: "pytorch",
		roles: []role{{"Master", 1}, {"Worker", workers}}}
}

// SampleName is a name that no other kind uses: two kinds are called Job.
func (k Kind) SampleName() string {
	return strings.ToLower(k.Kind) + "-" + k.file
}

// Life is one job from its creation to both of its ends.
type Life struct {
	Name string
	// Ranks is how many pods the spec requests.
	Ranks int
	// Object is the job as a person creates it; nil for a gang of plain pods.
	Object map[string]any
	// Suspended means that the job is created suspended; Run resumes it.
	Suspended bool
	// KeepsPods means that the pods continue when the job has ended.
	KeepsPods bool
	// Below are the objects that the operator makes for it, in order. An
	// annotation e2e/owner names the controller, as Kind/name or
	// group/Kind/name.
	Below []map[string]any
	// Running, Succeeded and Failed are the statuses that the operator
	// writes. A kind that never ends has no Succeeded.
	Running, Succeeded, Failed map[string]any
}

// Ends reports whether jobs of this kind end by themselves.
func (l Life) Ends() bool { return l.Succeeded != nil || l.Running == nil }

// Life is a new job of the kind under a name.
func (k Kind) Life(name string) (Life, error) {
	text, err := lives.ReadFile("lives/" + k.file + ".yaml")
	if err != nil {
		return Life{}, fmt.Errorf("read the life of %s: %w", k.Kind, err)
	}
	filled, err := fill(k.file, string(text), k.facts(name))
	if err != nil {
		return Life{}, err
	}
	life := Life{Name: name}
	if err := yaml.UnmarshalStrict(filled, &life); err != nil {
		return Life{}, fmt.Errorf("read the life of %s: %w", k.Kind, err)
	}
	return life, nil
}

// fill fills a template; list makes something to range over.
func fill(name, text string, facts any) ([]byte, error) {
	parsed, err := template.New(name).
		Funcs(template.FuncMap{"list": func(items ...string) []string { return items }}).
		Parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the template of %s: %w", name, err)
	}
	var filled bytes.Buffer
	if err := parsed.Execute(&filled, facts); err != nil {
		return nil, fmt.Errorf("fill the template of %s: %w", name, err)
	}
	return filled.Bytes(), nil
}

// facts are the variables of a template.
func (k Kind) facts(name string) any {
	type pod struct {
		Role  string
		Index int
	}
	var pods []pod
	for _, role := range k.roles {
		for i := range role.Replicas {
			pods = append(pods, pod{strings.ToLower(role.Name), i})
		}
	}
	return struct {
		Name, Now, Kind, LowerKind, ReplicaSpecs, Container string
		Roles                                               []role
		Pods                                                []pod
	}{
		name, time.Now().UTC().Format(time.RFC3339), k.Kind, strings.ToLower(k.Kind), k.replicaSpecs, k.container,
		k.roles, pods,
	}
}

func object(fields map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: fields}
}
