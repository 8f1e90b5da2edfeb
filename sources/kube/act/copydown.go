package act

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// down copies from the container to this machine.
func (c *copying) down(ctx context.Context) error {
	remote := path.Clean(c.transfer.Remote)
	target, err := c.localTarget(remote)
	if err != nil {
		return err
	}
	c.done.Path = target
	folder, err := c.isFolder(ctx, c.transfer.Remote)
	if err != nil {
		return err
	}
	c.sums.of = c
	err = c.unpack(ctx, remote, target, folder)
	if noProgram(err) {
		err = errNoTar
	}
	if err == nil {
		err = c.sums.check(ctx)
	}
	c.done.Verified = c.sums.how()
	c.sayLeft()
	return err
}

// localTarget returns the destination of the file or folder, as cp does:
// inside Local if that is a folder, else Local itself.
func (c *copying) localTarget(remote string) (string, error) {
	target := filepath.Clean(c.transfer.Local)
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		name := path.Base(remote)
		if name == "." || name == "/" {
			name = c.transfer.Pod
		}
		if !filepath.IsLocal(name) {
			return "", &unaskedError{"the name " + client.Printable(name) + " is none for a file here"}
		}
		target = filepath.Join(target, name)
	} else if strings.HasSuffix(c.transfer.Local, string(filepath.Separator)) {
		return "", &copyError{actions.Invalid, c.transfer.Local + " is no folder here", err}
	}
	if _, err := os.Lstat(target); err == nil && !c.transfer.Overwrite {
		return "", &copyError{actions.Exists, target + " is here already; allow it to be replaced, or choose another name", fs.ErrExist}
	}
	return target, nil
}

// unpack streams an archive out of the container. A link at the path itself is
// followed, others are kept as links.
func (c *copying) unpack(ctx context.Context, remote, target string, folder bool) error {
	command := []string{"tar", "-c", "-f", "-", "-C", argument(remote), "."}
	prefix := "."
	if !folder {
		prefix = "./" + path.Base(remote)
		command = []string{"tar", "-c", "-h", "-f", "-", "-C", argument(path.Dir(remote)), prefix}
	}
	into, err := openInto(target, c)
	if err != nil {
		return err
	}
	defer func() { _ = into.Close() }()
	var whole bool
	words, err := c.pipeOut(ctx, command, func(archive io.Reader) error {
		err := into.extract(ctx, tar.NewReader(archive), path.Clean(prefix))
		whole = err == nil
		return err
	})
	switch {
	case exitOf(err) > 0 && whole && c.done.Files > 0:
		// A file could not be read, or changed while it was read (GNU tar: 1
		// and 2).
		for _, line := range words.lines() {
			c.skip("tar", line)
		}
		return nil
	case exitOf(err) > 0:
		return &copyError{actions.Other, "the container's tar says: " + strings.Join(words.lines(), "; "), err}
	}
	if err == nil && c.done.Files == 0 && !folder {
		return &copyError{actions.Other, "there is no file to copy: " + strings.Join(c.done.Skipped, "; "), nil}
	}
	return err
}

// pipeOut passes a command's output to read, and ends the command if read
// fails. It returns read's error rather than the command's, unless that error
// reports that there was no output.
func (c *copying) pipeOut(ctx context.Context, command []string, read func(io.Reader) error) (*commandOutput, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	type end struct {
		words *commandOutput
		err   error
	}
	ended := make(chan end, 1)
	go func() {
		words, err := c.command(ctx, nil, to, command...)
		_ = to.Close()
		ended <- end{words, err}
	}()
	readErr := read(from)
	if readErr == nil || errors.Is(readErr, errNothing) {
		_, _ = io.Copy(io.Discard, from) // the padding of an archive, which comes before the exit code
	} else {
		cancel()
	}
	_ = from.CloseWithError(errEnded)
	e := <-ended
	switch {
	case e.err != nil && (readErr == nil || errors.Is(readErr, io.ErrUnexpectedEOF) || errors.Is(readErr, errNothing)):
		return e.words, e.err
	case errors.Is(readErr, io.ErrUnexpectedEOF):
		return e.words, &copyError{actions.Lost, "what came broke off in the middle", readErr}
	}
	return e.words, readErr
}

// errNoTar ends a copy from or to a container without tar.
var errNoTar = &copyError{actions.NoProgram, "the container has no tar, through which files are copied; a debug container can be asked for (s, where there is no shell), or an image that has tar", nil}

// errNothing reports that there was not even the beginning of an archive.
var errNothing = errors.New("nothing came")
