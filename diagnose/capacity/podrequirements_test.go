package capacity

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestTolerates(t *testing.T) {
	gpu := corev1.Taint{Key: "nvidia.com/gpu", Value: "present", Effect: corev1.TaintEffectNoSchedule}
	quality := corev1.Taint{Key: "quality", Value: "80", Effect: corev1.TaintEffectNoSchedule}
	for name, c := range map[string]struct {
		taint      corev1.Taint
		toleration corev1.Toleration
		want       bool
	}{
		"any value of the key":     {gpu, corev1.Toleration{Key: gpu.Key, Operator: corev1.TolerationOpExists}, true},
		"every taint":              {gpu, corev1.Toleration{Operator: corev1.TolerationOpExists}, true},
		"the value":                {gpu, corev1.Toleration{Key: gpu.Key, Value: "present"}, true},
		"another value":            {gpu, corev1.Toleration{Key: gpu.Key, Value: "true"}, false},
		"another key":              {gpu, corev1.Toleration{Key: "amd.com/gpu", Operator: corev1.TolerationOpExists}, false},
		"another effect":           {gpu, corev1.Toleration{Key: gpu.Key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}, false},
		"a number above its limit": {quality, corev1.Toleration{Key: quality.Key, Operator: corev1.TolerationOpGt, Value: "70"}, true},
		"a number below its limit": {quality, corev1.Toleration{Key: quality.Key, Operator: corev1.TolerationOpGt, Value: "90"}, false},
		"no number":                {gpu, corev1.Toleration{Key: gpu.Key, Operator: corev1.TolerationOpGt, Value: "1"}, false},
	} {
		pod := corev1.Pod{Spec: corev1.PodSpec{Tolerations: []corev1.Toleration{{Key: "other", Operator: corev1.TolerationOpExists}, c.toleration}}}
		if got := Tolerates(&pod, &c.taint); got != c.want {
			t.Errorf("%s: tolerated %v, want %v", name, got, c.want)
		}
	}
}
