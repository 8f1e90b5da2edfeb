package kube

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shared gives equal strings and equal structures the same memory. Decoding
// makes a new copy of every label and every container for every pod, and the
// thousand pods of a job differ in a few words. Shared parts must never be
// changed, which holds for every object that was given to the sink.
//
// It belongs to one follower and is used by one goroutine at a time.
type shared struct {
	strings recent[string, string]
	parts   recent[string, any]    // typed parts, by their protobuf bytes
	trees   recent[uint64, anyRef] // branches of unstructured objects, by hash
	scratch []byte
	hash    treeHash
}

// Entries in each generation: enough for the distinct words and parts of
// some thousand jobs, and a few megabytes at the very most.
const (
	rememberedStrings = 32 << 10
	rememberedParts   = 8 << 10
	rememberedTrees   = 64 << 10
)

func newShared() *shared {
	return &shared{
		strings: newRecent[string, string](rememberedStrings),
		parts:   newRecent[string, any](rememberedParts),
		trees:   newRecent[uint64, anyRef](rememberedTrees),
		hash:    newTreeHash(),
	}
}

// recent remembers what was used of late, in two generations: when the young
// one is full it becomes the old one, and what was in the old one and not
// asked for since is forgotten.
type recent[K comparable, V any] struct {
	limit      int
	young, old map[K]V
}

func newRecent[K comparable, V any](limit int) recent[K, V] {
	return recent[K, V]{limit: limit, young: map[K]V{}}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.put(key, v)
	}
	return v, ok
}

func (r *recent[K, V]) put(key K, v V) {
	if len(r.young) >= r.limit {
		r.old, r.young = r.young, make(map[K]V, r.limit/4)
	}
	r.young[key] = v
}

// longString is where a string is taken for a text of its own, which no other
// object repeats and which would only fill the memory of strings.
const longString = 1 << 10

func (s *shared) string(text string) string {
	if text == "" || len(text) > longString {
		return text
	}
	if same, ok := s.strings.get(text); ok {
		return same
	}
	text = strings.Clone(text) // not a piece of a larger buffer
	s.strings.put(text, text)
	return text
}

func (s *shared) stringMap(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	for key, value := range m {
		m[s.string(key)] = s.string(value)
	}
	return m
}

func (s *shared) words(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	key := "words\x00" + strings.Join(words, "\x00")
	if same, ok := s.parts.get(key); ok {
		return same.([]string)
	}
	for i := range words {
		words[i] = s.string(words[i])
	}
	s.parts.put(key, words)
	return words
}

// part is anything of k8s.io/api that knows its protobuf form.
type part interface {
	MarshalTo([]byte) (int, error)
	Size() int
}

// shareList returns an equal earlier list where there is one.
func shareList[T any, P interface {
	*T
	part
}](s *shared, label string, list []T) []T {
	if len(list) == 0 {
		return nil
	}
	key := append(s.scratch[:0], label...)
	for i := range list {
		key = appendPart(key, P(&list[i]))
	}
	s.scratch = key
	if same, ok := s.parts.get(string(key)); ok {
		return same.([]T)
	}
	s.parts.put(string(key), list)
	return list
}

// appendPart writes a part and its length, so that no two lists read alike.
func appendPart(key []byte, p part) []byte {
	size := p.Size()
	key = append(key, byte(size>>24), byte(size>>16), byte(size>>8), byte(size))
	begin := len(key)
	key = append(key, make([]byte, size)...)
	if n, err := p.MarshalTo(key[begin:]); err == nil {
		return key[:begin+n]
	}
	return key
}

func (s *shared) owners(owners []metav1.OwnerReference) []metav1.OwnerReference {
	return shareList(s, "owners", owners)
}

func shareContainers(s *shared, list []corev1.Container) []corev1.Container {
	return shareList(s, "containers", list)
}

func shareVolumes(s *shared, list []corev1.Volume) []corev1.Volume {
	return shareList(s, "volumes", list)
}

func shareMounts(s *shared, list []corev1.VolumeMount) []corev1.VolumeMount {
	return shareList(s, "mounts", list)
}

func sharePorts(s *shared, list []corev1.ContainerPort) []corev1.ContainerPort {
	return shareList(s, "ports", list)
}

func shareTolerations(s *shared, list []corev1.Toleration) []corev1.Toleration {
	return shareList(s, "tolerations", list)
}

func shareAffinity(s *shared, affinity *corev1.Affinity) *corev1.Affinity {
	if affinity == nil {
		return nil
	}
	key := append(s.scratch[:0], "affinity"...)
	key = appendPart(key, affinity)
	s.scratch = key
	if same, ok := s.parts.get(string(key)); ok {
		return same.(*corev1.Affinity)
	}
	s.parts.put(string(key), affinity)
	return affinity
}

func shareResources(s *shared, list corev1.ResourceList) corev1.ResourceList {
	if len(list) == 0 {
		return nil
	}
	whole := corev1.ResourceRequirements{Limits: list}
	key := append(s.scratch[:0], "resources"...)
	key = appendPart(key, &whole)
	s.scratch = key
	if same, ok := s.parts.get(string(key)); ok {
		return same.(corev1.ResourceList)
	}
	s.parts.put(string(key), list)
	return list
}
