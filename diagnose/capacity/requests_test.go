package capacity

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// A limit without a request is one, as the API server makes it; what is requested
// stays, be it nothing.
func TestRequests(t *testing.T) {
	for name, c := range map[string]struct{ spec, want string }{
		"limits alone":            {`{containers: [{resources: {limits: {nvidia.com/gpu: 8, cpu: 4}}}]}`, "[{cpu 4000} {nvidia.com/gpu 8}]"},
		"limits beside requests":  {`{containers: [{resources: {limits: {nvidia.com/gpu: 8, cpu: 4}, requests: {cpu: 1}}}]}`, "[{cpu 1000} {nvidia.com/gpu 8}]"},
		"a request for nothing":   {`{containers: [{resources: {limits: {cpu: 4}, requests: {cpu: 0}}}]}`, "[]"},
		"two containers":          {`{containers: [{resources: {limits: {nvidia.com/gpu: 8}}}, {resources: {requests: {nvidia.com/gpu: 1}}}]}`, "[{nvidia.com/gpu 9}]"},
		"a sidecar and an init":   {`{containers: [{resources: {limits: {nvidia.com/gpu: 2}}}], initContainers: [{restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}, {resources: {limits: {nvidia.com/gpu: 4}}}]}`, "[{nvidia.com/gpu 5}]"},
		"limits of the whole pod": {`{containers: [{resources: {requests: {cpu: 1}}}], resources: {limits: {cpu: 6, memory: 1Ki}}}`, "[{cpu 1000} {memory 1024}]"},
	} {
		var spec corev1.PodSpec
		if err := yaml.Unmarshal([]byte(c.spec), &spec); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(RequestsOf(&spec)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
