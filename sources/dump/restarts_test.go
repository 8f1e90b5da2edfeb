package dump

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A restart count that its field does not hold is the greatest or the least that it
// holds, and never a small number made of its lower bits.
func TestRestartCountsOutsideOfTheirField(t *testing.T) {
	for _, c := range []struct {
		read any
		want int32
	}{
		{int64(3), 3}, {int64(-7), -7}, {int64(2147483648), 2147483647}, {int64(4294967299), 2147483647},
		{float64(1e15), 2147483647}, {int64(-4294967299), -2147483648}, {float64(4), 4},
	} {
		_, o, err := build(map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p", "namespace": "ml"},
			"status": map[string]any{"containerStatuses": []any{map[string]any{"name": "main", "restartCount": c.read}}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := o.(*corev1.Pod).Status.ContainerStatuses[0].RestartCount; got != c.want {
			t.Errorf("%v is read as %d, want %d", c.read, got, c.want)
		}
	}
}
