package kube

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/traintop/traintop/actions"
)

// copied is one file as it was written. sum is nil where it was not taken on
// the way.
type copied struct {
	remote, local string
	size          int64
	sum           []byte
}

const (
	// sumsAtOnce and namesAtOnce (bytes) bound one command that sums files, and
	// with it what is remembered of files that were copied.
	sumsAtOnce  = 500
	namesAtOnce = 32 << 10
)

// sums compares what was copied on both sides, some files at a time: by
// sha256sum, else cksum, else wc, as the container has them.
type sums struct {
	of     *copying
	wait   []copied
	names  int
	method int // of sumPrograms
	used   bool
}

// sumPrograms are tried in order. Each prints a line for each file, in the
// order of the arguments.
var sumPrograms = []struct {
	command []string
	how     string
	same    func(line string, f copied) (bool, error)
}{
	{[]string{"sha256sum"}, "sha256", sameSHA256},
	{[]string{"cksum"}, "cksum", sameCksum},
	{[]string{"wc", "-c"}, "size", sameSize},
}

// how says what was compared.
func (s *sums) how() string {
	if !s.used || s.method >= len(sumPrograms) {
		return ""
	}
	return sumPrograms[s.method].how
}

func (s *sums) add(ctx context.Context, f copied) error {
	if strings.Contains(f.remote, "\n") {
		return nil // not every program prints such a name on one line
	}
	s.wait = append(s.wait, f)
	s.names += len(f.remote)
	if len(s.wait) < sumsAtOnce && s.names < namesAtOnce {
		return nil
	}
	return s.check(ctx)
}

// check compares what waits.
func (s *sums) check(ctx context.Context) error {
	files := s.wait
	s.wait, s.names = nil, 0
	if len(files) == 0 {
		return nil
	}
	for s.method < len(sumPrograms) {
		lines, err := s.ask(ctx, files)
		if noProgram(err) {
			s.method++
			continue
		}
		if err != nil {
			return err
		}
		s.used = true
		return s.compare(ctx, files, lines)
	}
	return nil // by what the archive said of the sizes
}

// ask runs the program over files.
func (s *sums) ask(ctx context.Context, files []copied) ([]string, error) {
	var text bytes.Buffer
	command := append([]string{}, sumPrograms[s.method].command...)
	for _, f := range files {
		command = append(command, argument(f.remote))
	}
	words, err := s.of.command(ctx, nil, &text, command...)
	if exitOf(err) > 0 {
		said := strings.Join(words.lines(), "; ")
		return nil, &copyError{actions.Other, fmt.Sprintf("comparing what was copied: %s says: %s", command[0], said), err}
	}
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), err
}

// compare removes what is not the same on both sides.
func (s *sums) compare(ctx context.Context, files []copied, lines []string) error {
	same := sumPrograms[s.method].same
	for i, f := range files {
		if i >= len(lines) {
			return &copyError{actions.Other, "comparing what was copied: too few sums came", nil}
		}
		ok, err := same(strings.TrimSpace(lines[i]), f)
		if err != nil {
			return fmt.Errorf("comparing what was copied: %w", err)
		}
		if !ok {
			s.of.remove(ctx, f)
			return &copyError{actions.Lost, fmt.Sprintf("%s is not the same here and there after it was copied (%s): it changed meanwhile, or was damaged on the way; the copy is removed", f.remote, sumPrograms[s.method].how), nil}
		}
	}
	return nil
}

// remove takes a copy away that is not right.
func (c *copying) remove(ctx context.Context, f copied) {
	if !c.transfer.Up {
		_ = os.Remove(f.local)
		return
	}
	_, _ = c.command(ctx, nil, &bytes.Buffer{}, "rm", "-f", argument(f.remote))
}

var errNoSum = errors.New("what the program printed is no sum")

// sameSHA256 reads a line of sha256sum; a backslash before it says that the
// name is escaped (GNU coreutils).
func sameSHA256(line string, f copied) (bool, error) {
	word, _, _ := strings.Cut(strings.TrimPrefix(line, "\\"), " ")
	sum, err := hex.DecodeString(word)
	if err != nil || len(sum) != sha256.Size {
		return false, errNoSum
	}
	here := f.sum
	if here == nil {
		if here, err = sha256Of(f.local); err != nil {
			return false, err
		}
	}
	return bytes.Equal(sum, here), nil
}

func sha256Of(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	sum := sha256.New()
	_, err = io.CopyBuffer(sum, file, make([]byte, copyBuffer))
	return sum.Sum(nil), err
}

// sameCksum reads a line of cksum: sum, size, name.
func sameCksum(line string, f copied) (bool, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return false, errNoSum
	}
	sum, err := strconv.ParseUint(fields[0], 10, 32)
	if err != nil {
		return false, errNoSum
	}
	if fields[1] != strconv.FormatInt(f.size, 10) {
		return false, nil
	}
	here, err := cksumOf(f.local)
	return uint64(here) == sum, err
}

// sameSize reads a line of wc -c: size, name.
func sameSize(line string, f copied) (bool, error) {
	word, _, _ := strings.Cut(line, " ")
	size, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return false, errNoSum
	}
	return size == f.size, nil
}
