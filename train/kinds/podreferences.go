package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kinds that pods name in their spec.
var (
	secretKind         = schema.GroupKind{Kind: "Secret"}
	configMapKind      = schema.GroupKind{Kind: "ConfigMap"}
	claimKind          = schema.GroupKind{Kind: "PersistentVolumeClaim"}
	serviceAccountKind = schema.GroupKind{Kind: "ServiceAccount"}
)

// PodReference is an object of the pod's namespace that a pod names.
type PodReference struct {
	Kind schema.GroupKind
	Name string
	// Path is the field of the pod that names it: "spec.volumes[data]".
	Path string
	// Optional is true where the pod starts without it.
	Optional bool
}

// PodReferences lists what a pod names: volumes first, then containers, then its account
// and the secrets to pull images with. An object that is named twice is listed twice.
func PodReferences(pod *corev1.Pod) []PodReference {
	var all []PodReference
	note := func(kind schema.GroupKind, name, path string, optional *bool) {
		if name != "" {
			all = append(all, PodReference{kind, name, path, optional != nil && *optional})
		}
	}
	for i := range pod.Spec.Volumes {
		volumeReferences(pod, &pod.Spec.Volumes[i], note)
	}
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			containerReferences(&containers[i], note)
		}
	}
	note(serviceAccountKind, pod.Spec.ServiceAccountName, "spec.serviceAccountName", nil)
	lenient := true // a kubelet pulls without a secret that is missing
	for _, secret := range pod.Spec.ImagePullSecrets {
		note(secretKind, secret.Name, "spec.imagePullSecrets", &lenient)
	}
	return all
}

type noteReference = func(kind schema.GroupKind, name, path string, optional *bool)

func volumeReferences(pod *corev1.Pod, v *corev1.Volume, note noteReference) {
	path := "spec.volumes[" + v.Name + "]"
	switch {
	case v.ConfigMap != nil:
		note(configMapKind, v.ConfigMap.Name, path, v.ConfigMap.Optional)
	case v.Secret != nil:
		note(secretKind, v.Secret.SecretName, path, v.Secret.Optional)
	case v.PersistentVolumeClaim != nil:
		note(claimKind, v.PersistentVolumeClaim.ClaimName, path, nil)
	case v.Ephemeral != nil:
		note(claimKind, pod.Name+"-"+v.Name, path, nil)
	case v.Projected != nil:
		for i := range v.Projected.Sources {
			source := &v.Projected.Sources[i]
			if source.ConfigMap != nil {
				note(configMapKind, source.ConfigMap.Name, path, source.ConfigMap.Optional)
			}
			if source.Secret != nil {
				note(secretKind, source.Secret.Name, path, source.Secret.Optional)
			}
		}
	}
}

func containerReferences(c *corev1.Container, note noteReference) {
	container := "spec.containers[" + c.Name + "]"
	for i := range c.EnvFrom {
		from := &c.EnvFrom[i]
		if from.ConfigMapRef != nil {
			note(configMapKind, from.ConfigMapRef.Name, container+".envFrom", from.ConfigMapRef.Optional)
		}
		if from.SecretRef != nil {
			note(secretKind, from.SecretRef.Name, container+".envFrom", from.SecretRef.Optional)
		}
	}
	for i := range c.Env {
		from := c.Env[i].ValueFrom
		if from == nil {
			continue
		}
		path := container + ".env[" + c.Env[i].Name + "]"
		if from.ConfigMapKeyRef != nil {
			note(configMapKind, from.ConfigMapKeyRef.Name, path, from.ConfigMapKeyRef.Optional)
		}
		if from.SecretKeyRef != nil {
			note(secretKind, from.SecretKeyRef.Name, path, from.SecretKeyRef.Optional)
		}
	}
}
