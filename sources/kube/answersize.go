package kube

import (
	"context"
	"fmt"
)

// These bound an answer after decompression: a few kilobytes can unpack to
// gigabytes. Logs, watches and what stands behind a proxy are read in bounded
// memory by their readers.
const (
	// mostOfAnswer is for one object, discovery, a review.
	mostOfAnswer = 64 << 20
	// mostOfPage is for a page of pageSize unstructured objects.
	mostOfPage = 64 << 20
	// mostOfList is for a typed list, decoded while it comes: 150,000 pods of
	// 10 KiB, the most that Kubernetes is made for, are 1.5 GiB.
	mostOfList = 2 << 30
	// mostObjects bounds the objects of a typed list, which can be empty.
	mostObjects = 300_000
)

// tooLargeError says that an answer is larger than is read.
type tooLargeError struct{ what, most string }

// Error says what was left out, and why.
func (e *tooLargeError) Error() string {
	return e.what + " is larger than " + e.most + ", which is more than is read; all of the answer is left out"
}

func tooLong(most int64) error { return &tooLargeError{"the answer", fmt.Sprintf("%d MiB", most>>20)} }

func objectTooLong(most int64) error {
	return &tooLargeError{"an object in the answer", fmt.Sprintf("%d MiB", most>>20)}
}

func tooMany(most int) error { return &tooLargeError{"the answer", fmt.Sprintf("%d objects", most)} }

type mostKey struct{}

// reading lets the answers to requests of a context be so long.
func reading(ctx context.Context, most int64) context.Context {
	return context.WithValue(ctx, mostKey{}, most)
}

func mostRead(ctx context.Context) int64 {
	if most, ok := ctx.Value(mostKey{}).(int64); ok {
		return most
	}
	return mostOfAnswer
}
