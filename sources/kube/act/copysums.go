package act

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/traintop/traintop/actions"
)

// copied is one written file. sum is nil if it was not computed during the
// copy.
type copied struct {
	remote, local string
	size          int64
	sum           []byte
}

const (
	// sumsAtOnce and namesAtOnce (bytes) limit one sha256sum command, and so
	// the memory for copied files.
	sumsAtOnce  = 500
	namesAtOnce = 32 << 10
)

// sums compares copied files on both sides by sha256sum, some files at a time.
type sums struct {
	of    *copying
	wait  []copied
	names int
	// used is true once checksums were compared; missing if the container has
	// no sha256sum.
	used, missing bool
}

// how describes what was compared, "" if only the sizes in the archive.
func (s *sums) how() string {
	if s.used {
		return "sha256"
	}
	return ""
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

// check compares the waiting files.
func (s *sums) check(ctx context.Context) error {
	files := s.wait
	s.wait, s.names = nil, 0
	if len(files) == 0 {
		return nil
	}
	if s.missing {
		return nil
	}
	lines, err := s.ask(ctx, files)
	if noProgram(err) {
		s.missing = true
		return nil
	}
	if err != nil {
		return err
	}
	s.used = true
	return s.compare(ctx, files, lines)
}

// ask runs sha256sum on files.
func (s *sums) ask(ctx context.Context, files []copied) ([]string, error) {
	var text bytes.Buffer
	command := []string{"sha256sum"}
	for _, f := range files {
		command = append(command, argument(f.remote))
	}
	words, err := s.of.command(ctx, nil, &text, command...)
	if exitOf(err) > 0 {
		said := strings.Join(words.lines(), "; ")
		return nil, &copyError{actions.Other, fmt.Sprintf("comparing what was copied: sha256sum says: %s", said), err}
	}
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), err
}

// compare removes copies whose checksums differ.
func (s *sums) compare(ctx context.Context, files []copied, lines []string) error {
	for i, f := range files {
		if i >= len(lines) {
			return &copyError{actions.Other, "comparing what was copied: too few sums came", nil}
		}
		ok, err := sameSHA256(strings.TrimSpace(lines[i]), f)
		if err != nil {
			return fmt.Errorf("comparing what was copied: %w", err)
		}
		if !ok {
			s.of.remove(ctx, f)
			return &copyError{actions.Lost, fmt.Sprintf("%s is not the same here and there after it was copied (sha256): it changed meanwhile, or was damaged on the way; the copy is removed", f.remote), nil}
		}
	}
	return nil
}

// remove deletes a wrong copy.
func (c *copying) remove(ctx context.Context, f copied) {
	if !c.transfer.Up {
		_ = os.Remove(f.local)
		return
	}
	_, _ = c.command(ctx, nil, &bytes.Buffer{}, "rm", "-f", argument(f.remote))
}

var errNoSum = errors.New("what the program printed is no sum")

// sameSHA256 parses a line of sha256sum; a backslash before it means that the
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
