package ui

import (
	"os"
	"testing"

	"github.com/muesli/cancelreader"
)

// Whatever the scheduler does, what waits to read at the end of a shell takes
// no key of what comes after.
func TestNoKeyIsLostAfterAShell(t *testing.T) {
	in, typing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), typing.Close() }()
	for i := range 500 {
		input, err := cancelreader.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		typed := &typedInput{from: input}
		waits, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			close(waits)
			if n, err := typed.Read(make([]byte, 8)); err == nil {
				t.Errorf("round %d: %d bytes were taken after the end", i, n)
			}
		}()
		<-waits
		typed.end()
		if _, err := typing.Write([]byte("k")); err != nil {
			t.Fatal(err)
		}
		<-ended
		if t.Failed() {
			return
		}
		if n, err := in.Read(make([]byte, 8)); n != 1 || err != nil {
			t.Fatalf("round %d: the key is gone: %d, %v", i, n, err)
		}
	}
}
