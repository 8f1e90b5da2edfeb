package kinds

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	corev1 "k8s.io/api/core/v1"
)

// FuzzAssemble reads mutated objects: broken text, and values of the wrong
// kind at random places. Every input must become rows that keep the guarantees
// of train.Job.
func FuzzAssemble(f *testing.F) {
	for _, pattern := range []string{"testdata/objects/*.yaml", "testdata/clusters/tfjob-exitcode-recreated.yaml", "testdata/clusters/vcjob-gang-pending.yaml", "testdata/clusters/trainjob-rank-retried.yaml"} {
		files, _ := filepath.Glob(pattern)
		for i, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		c, err := parseCluster(data)
		if err != nil {
			return
		}
		holds(t, c)
		c.spoil(rand.New(rand.NewPCG(seed, seed)))
		holds(t, c)
	})
}

func holds(t *testing.T, c *cluster) {
	for _, job := range c.jobs() {
		if job.Wanted < 0 || job.Ready < 0 || job.GPUs < 0 || job.Restarts < 0 {
			t.Errorf("%s counts below zero: %+v", job.Ref, job)
		}
		if len(job.Ranks) > maxRanks {
			t.Errorf("%s has %d ranks", job.Ref, len(job.Ranks))
		}
		if job.Phase == "" {
			t.Errorf("%s has no phase", job.Ref)
		}
		if job.Reason != oneLine(job.Reason) {
			t.Errorf("%s reason is not fit for a line: %q", job.Ref, job.Reason)
		}
	}
	for _, o := range c.objects[NodeKind] {
		Node(o.(*corev1.Node), nil)
	}
}

// spoil puts values of other types into the objects, in place.
func (c *cluster) spoil(random *rand.Rand) {
	for kind, objects := range c.objects {
		for _, o := range objects {
			if u, ok := o.(*unstructured.Unstructured); ok {
				spoilMap(u.Object, random)
				continue
			}
			loose, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
			if err != nil {
				continue
			}
			spoilMap(loose, random)
			fresh := o.DeepCopyObject()
			if runtime.DefaultUnstructuredConverter.FromUnstructured(loose, fresh) == nil {
				c.objects[kind] = append(c.objects[kind], fresh.(Object))
			}
		}
	}
}

func spoilMap(m map[string]any, random *rand.Rand) {
	for key, value := range m {
		if key != "apiVersion" && key != "kind" && random.IntN(12) == 0 {
			wrong := []any{nil, "", "\x1b[31m\xff", int64(-7), int64(1 << 62), 1e300, true, []any{nil, "x"}, map[string]any{"": nil}}
			m[key] = wrong[random.IntN(len(wrong))]
			continue
		}
		switch value := value.(type) {
		case map[string]any:
			spoilMap(value, random)
		case []any:
			for _, entry := range value {
				if inner, ok := entry.(map[string]any); ok {
					spoilMap(inner, random)
				}
			}
		}
	}
}
