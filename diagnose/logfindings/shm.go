package logfindings

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// roomyBusError is the title of a bus error in a pod with a large /dev/shm.
const roomyBusError = "Ended by a bus error (SIGBUS), although /dev/shm is large: a mapped file that was cut, a full or failing disk, or bad memory"

// roomyBytes is the size from which /dev/shm counts as large.
const roomyBytes = 1 << 30

// RoomyShm reports whether a pod is known to have a large /dev/shm: memory, or
// the node's own, without a limit or with one of a GiB at least.
func RoomyShm(pod *corev1.Pod) bool {
	if pod == nil {
		return false
	}
	for i := range pod.Spec.Containers {
		for _, mount := range pod.Spec.Containers[i].VolumeMounts {
			if strings.TrimRight(mount.MountPath, "/") == "/dev/shm" && roomyVolume(pod, mount.Name) {
				return true
			}
		}
	}
	return false
}

func roomyVolume(pod *corev1.Pod, name string) bool {
	for i := range pod.Spec.Volumes {
		v := &pod.Spec.Volumes[i]
		if v.Name != name {
			continue
		}
		if dir := v.EmptyDir; dir != nil {
			return dir.Medium == corev1.StorageMediumMemory && (dir.SizeLimit == nil || dir.SizeLimit.Value() >= roomyBytes)
		}
		return v.HostPath != nil && strings.TrimRight(v.HostPath.Path, "/") == "/dev/shm"
	}
	return false
}
