package client

import (
	"context"
	"fmt"

	"github.com/traintop/traintop/termtext"
)

// These limit an answer after decompression: a few kilobytes can unpack to
// gigabytes. Readers of logs, watches and proxied answers limit their own
// memory.
const (
	// MostOfAnswer is for one object, discovery or a review.
	MostOfAnswer = 64 << 20
	// MostOfPage is for a page of pageSize unstructured objects.
	MostOfPage = 64 << 20
	// MostOfList is for a typed list, decoded as it arrives: 150,000 pods of
	// 10 KiB, the most that Kubernetes supports, are 1.5 GiB.
	MostOfList = 2 << 30
	// MostObjects limits the objects of a typed list, which can be empty:
	// Kubernetes supports 150,000 pods.
	MostObjects = 200_000
)

// TooLargeError reports an answer larger than the limit.
type TooLargeError struct{ what, most string }

// Error names the answer that was left out, and the limit.
func (e *TooLargeError) Error() string {
	return e.what + " is larger than " + e.most + ", which is more than is read; all of the answer is left out"
}

func tooLong(most int64) error { return &TooLargeError{"the answer", termtext.Bytes(most)} }

func ObjectTooLong(most int64) error {
	return &TooLargeError{"an object in the answer", termtext.Bytes(most)}
}

func TooMany(most int) error { return &TooLargeError{"the answer", fmt.Sprintf("%d objects", most)} }

type mostKey struct{}

// Reading sets the size limit for the answers to requests of a context.
func Reading(ctx context.Context, most int64) context.Context {
	return context.WithValue(ctx, mostKey{}, most)
}

func mostRead(ctx context.Context) int64 {
	if most, ok := ctx.Value(mostKey{}).(int64); ok {
		return most
	}
	return MostOfAnswer
}
