package client

import (
	"context"
	"fmt"
)

// These bound an answer after decompression: a few kilobytes can unpack to
// gigabytes. Logs, watches and what stands behind a proxy are read in bounded
// memory by their readers.
const (
	// MostOfAnswer is for one object, discovery, a review.
	MostOfAnswer = 64 << 20
	// MostOfPage is for a page of pageSize unstructured objects.
	MostOfPage = 64 << 20
	// MostOfList is for a typed list, decoded while it comes: 150,000 pods of
	// 10 KiB, the most that Kubernetes is made for, are 1.5 GiB.
	MostOfList = 2 << 30
	// MostObjects bounds the objects of a typed list, which can be empty.
	MostObjects = 300_000
)

// TooLargeError says that an answer is larger than is read.
type TooLargeError struct{ what, most string }

// Error says what was left out, and why.
func (e *TooLargeError) Error() string {
	return e.what + " is larger than " + e.most + ", which is more than is read; all of the answer is left out"
}

func tooLong(most int64) error { return &TooLargeError{"the answer", fmt.Sprintf("%d MiB", most>>20)} }

func ObjectTooLong(most int64) error {
	return &TooLargeError{"an object in the answer", fmt.Sprintf("%d MiB", most>>20)}
}

func TooMany(most int) error { return &TooLargeError{"the answer", fmt.Sprintf("%d objects", most)} }

type mostKey struct{}

// Reading lets the answers to requests of a context be so long.
func Reading(ctx context.Context, most int64) context.Context {
	return context.WithValue(ctx, mostKey{}, most)
}

func mostRead(ctx context.Context) int64 {
	if most, ok := ctx.Value(mostKey{}).(int64); ok {
		return most
	}
	return MostOfAnswer
}
