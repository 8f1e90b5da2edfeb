package kube

import (
	"crypto/sha256"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/sources/redact/declared"
)

// shared lets equal strings and equal structures share memory. Decoding makes
// a new copy of every label and every container for every pod, while the
// thousand pods of a job differ in a few strings. Shared parts must never be
// changed, which holds for every object that was sent to the sink.
//
// It belongs to one follower and is used by one goroutine at a time.
type shared struct {
	strings recent[string, string]
	parts   recent[digest, any]    // typed parts, by the digest of their protobuf bytes
	near    recent[digest, any]    // large parts that only neighbouring pods share
	trees   recent[uint64, anyRef] // branches of unstructured objects, by hash
	// variables caches the verdict on names of environment variables.
	variables recent[string, variableName]
	// secrets are those of the namespace of the object at hand.
	secrets *declared.Set
	scratch []byte
	hash    treeHash
}

// digest identifies the bytes of a part, which would take more memory than
// sharing saves. It is SHA-256, so that nobody can construct collisions.
type digest [sha256.Size]byte

// Entries in each generation: enough for the distinct strings and parts of
// some thousand jobs, and a few megabytes at most.
const (
	rememberedStrings = 32 << 10
	rememberedParts   = 8 << 10
	rememberedTrees   = 64 << 10
	// A list is sorted by name, so the pods of a job, which often share even
	// their start second, are adjacent.
	rememberedNear = 1 << 10
)

func newShared() *shared {
	return &shared{
		strings:   newRecent[string, string](rememberedStrings),
		parts:     newRecent[digest, any](rememberedParts),
		near:      newRecent[digest, any](rememberedNear),
		trees:     newRecent[uint64, anyRef](rememberedTrees),
		hash:      newTreeHash(),
		variables: newRecent[string, variableName](rememberedNear),
	}
}

// recent caches recently used values in two generations: when the young one is
// full it becomes the old one, and unused values of the previous old one are
// dropped.
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

// longString is the length from which a string is assumed to be unique, so
// that it would only fill the cache.
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
	text := append(s.scratch[:0], "words"...)
	for _, word := range words {
		text = append(append(text, 0), word...)
	}
	s.scratch = text
	key := digest(sha256.Sum256(text))
	if same, ok := s.parts.get(key); ok {
		return same.([]string)
	}
	for i := range words {
		words[i] = s.string(words[i])
	}
	s.parts.put(key, words)
	return words
}

// fitted returns a list without spare capacity: decoders append one element at
// a time, so a list of five has room for eight.
func fitted[T any](list []T) []T {
	if len(list) == cap(list) {
		return list
	}
	exact := make([]T, len(list))
	copy(exact, list)
	return exact
}

// part is any type of k8s.io/api with a protobuf encoding.
type part interface {
	MarshalTo([]byte) (int, error)
	Size() int
}

// shareList returns an equal earlier list if there is one.
func shareList[T any, P interface {
	*T
	part
}](s *shared, among *recent[digest, any], label string, list []T) []T {
	if len(list) == 0 {
		return nil
	}
	text := append(s.scratch[:0], label...)
	for i := range list {
		text = appendPart(text, P(&list[i]))
	}
	s.scratch = text
	key := digest(sha256.Sum256(text))
	if same, ok := among.get(key); ok {
		return same.([]T)
	}
	list = fitted(list)
	among.put(key, list)
	return list
}

// appendPart appends a part and its length, so that different lists give
// different keys.
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
	return shareList(s, &s.parts, "owners", owners)
}

func shareContainers(s *shared, list []corev1.Container) []corev1.Container {
	return shareList(s, &s.near, "containers", list)
}

func shareConditions(s *shared, list []corev1.PodCondition) []corev1.PodCondition {
	return shareList(s, &s.near, "conditions", list)
}

func shareStatuses(s *shared, list []corev1.ContainerStatus) []corev1.ContainerStatus {
	return shareList(s, &s.near, "statuses", list)
}

func shareVolumes(s *shared, list []corev1.Volume) []corev1.Volume {
	return shareList(s, &s.parts, "volumes", list)
}

func shareMounts(s *shared, list []corev1.VolumeMount) []corev1.VolumeMount {
	return shareList(s, &s.parts, "mounts", list)
}

func sharePorts(s *shared, list []corev1.ContainerPort) []corev1.ContainerPort {
	return shareList(s, &s.parts, "ports", list)
}

func shareTolerations(s *shared, list []corev1.Toleration) []corev1.Toleration {
	return shareList(s, &s.parts, "tolerations", list)
}

func shareAffinity(s *shared, affinity *corev1.Affinity) *corev1.Affinity {
	if affinity == nil {
		return nil
	}
	s.scratch = appendPart(append(s.scratch[:0], "affinity"...), affinity)
	key := digest(sha256.Sum256(s.scratch))
	if same, ok := s.parts.get(key); ok {
		return same.(*corev1.Affinity)
	}
	s.parts.put(key, affinity)
	return affinity
}

func shareResources(s *shared, list corev1.ResourceList) corev1.ResourceList {
	if len(list) == 0 {
		return nil
	}
	whole := corev1.ResourceRequirements{Limits: list}
	s.scratch = appendPart(append(s.scratch[:0], "resources"...), &whole)
	key := digest(sha256.Sum256(s.scratch))
	if same, ok := s.parts.get(key); ok {
		return same.(corev1.ResourceList)
	}
	s.parts.put(key, list)
	return list
}
