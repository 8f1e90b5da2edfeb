package act

import (
	"context"
	"os"
	"path"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
)

// Copy copies files from a container or to it. It streams a tar archive
// through a command in the container and compares the files by sha256sum, if
// the container has it. Memory use does not depend on the size of the copy.
// Its errors are *actions.Failure.
func (c *Actor) Copy(ctx context.Context, t actions.Transfer) (actions.Transferred, error) {
	return Copy(ctx, c, t)
}

// Copy is Actor.Copy with any executor of commands.
func Copy(ctx context.Context, run actions.Executor, t actions.Transfer) (actions.Transferred, error) {
	c := &copying{run: run, transfer: t}
	if err := c.check(); err != nil {
		return actions.Transferred{}, copyFailure(ctx, t, err)
	}
	var err error
	if t.Up {
		err = c.up(ctx)
	} else {
		err = c.down(ctx)
	}
	if err != nil {
		return c.done, copyFailure(ctx, t, err)
	}
	return c.done, nil
}

// copying is one running transfer.
type copying struct {
	run      actions.Executor
	transfer actions.Transfer
	done     actions.Transferred
	// bytes were copied so far, of all in total (0 while unknown).
	bytes, all int64
	// left counts skipped files beyond those that are named.
	left   int
	sums   sums
	buffer []byte
	// from is the local root of an upload.
	from *os.Root
}

// copyBuffer is how much is read and written at once.
const copyBuffer = 256 << 10

// between is the buffer for the one file being copied.
func (c *copying) between() []byte {
	if c.buffer == nil {
		c.buffer = make([]byte, copyBuffer)
	}
	return c.buffer
}

// mostSkipped limits how many skipped files are named.
const mostSkipped = 200

func (c *copying) skip(name, why string) {
	if len(c.done.Skipped) == mostSkipped {
		c.left++
		return
	}
	c.done.Skipped = append(c.done.Skipped, client.Printable(name)+": "+why)
}

func (c *copying) sayLeft() {
	if c.left > 0 {
		c.done.Skipped = append(c.done.Skipped, "and "+termtext.More(c.left, ""))
	}
}

func (c *copying) progress(n int) {
	c.bytes += int64(n)
	if c.transfer.Progress != nil {
		c.transfer.Progress(c.bytes, max(c.all, 0))
	}
}

func (c *copying) check() error {
	switch t := c.transfer; {
	case t.Remote == "" || t.Local == "":
		return &unaskedError{"a path here and one in the container are needed"}
	case strings.ContainsRune(t.Remote, 0) || strings.ContainsRune(t.Local, 0):
		return &unaskedError{"a path cannot contain a zero byte"}
	case path.Base(path.Clean(t.Remote)) == "..":
		return &unaskedError{"the path in the container ends in .."}
	}
	return nil
}

// argument returns a container path that no program parses as an option.
func argument(name string) string {
	if strings.HasPrefix(name, "/") || name == "." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		return name
	}
	return "./" + name
}
