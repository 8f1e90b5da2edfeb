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
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// up copies from this machine to the container.
func (c *copying) up(ctx context.Context) error {
	from, info, err := openFrom(c.transfer.Local)
	if err != nil {
		return err
	}
	target, err := c.remoteTarget(ctx, filepath.Base(from))
	if err != nil {
		return err
	}
	c.done.Path = target
	c.sums.of = c
	if c.from, err = openRootOf(from, info); err != nil {
		return err
	}
	defer func() { _ = c.from.Close() }()
	if err := c.measure(ctx, from); err != nil {
		return err
	}
	err = c.pack(ctx, from, target)
	if noProgram(err) {
		err = errNoTar
	}
	if err != nil {
		return err
	}
	err = c.walk(ctx, from, func(f localFile) error {
		if !f.info.Mode().IsRegular() {
			return nil
		}
		return c.sums.add(ctx, copied{remote: path.Join(target, f.rel), local: f.name, size: f.info.Size()})
	})
	if err == nil {
		err = c.sums.check(ctx)
	}
	c.done.Verified = c.sums.how()
	c.sayLeft()
	return err
}

// openFrom resolves the path to copy, following a link.
func openFrom(local string) (string, fs.FileInfo, error) {
	from, err := filepath.Abs(local)
	if err == nil {
		from, err = filepath.EvalSymlinks(from)
	}
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(from)
	if err != nil {
		return "", nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return "", nil, &unaskedError{"it is neither a file nor a folder"}
	}
	if filepath.Dir(from) == from {
		return "", nil, &unaskedError{"a whole disk is not copied"}
	}
	return from, info, nil
}

// openRootOf opens the folder to copy, or the folder of the file: nothing
// outside of it is read, whatever happens to its content meanwhile.
func openRootOf(from string, info fs.FileInfo) (*os.Root, error) {
	if !info.IsDir() {
		from = filepath.Dir(from)
	}
	return os.OpenRoot(from)
}

// remoteTarget returns the destination of the file or folder, as cp does.
func (c *copying) remoteTarget(ctx context.Context, name string) (string, error) {
	folder, err := c.isFolder(ctx, c.transfer.Remote)
	if err != nil {
		return "", err
	}
	target := path.Clean(c.transfer.Remote)
	switch {
	case folder:
		target = path.Join(target, name)
	case strings.HasSuffix(c.transfer.Remote, "/"):
		return "", &copyError{actions.Invalid, c.transfer.Remote + " is no folder in the container", nil}
	}
	if c.transfer.Overwrite {
		return target, nil
	}
	_, err = c.command(ctx, nil, io.Discard, "test", "-e", argument(target))
	switch {
	case err == nil:
		return "", &copyError{actions.Exists, target + " is in the container already; allow it to be replaced, or choose another name", fs.ErrExist}
	case exitOf(err) < 0 && !noProgram(err):
		return "", err
	}
	return target, nil
}

// localFile is one file, folder or link to copy; rel is "" for the root, and
// has slashes.
type localFile struct {
	name, rel string
	info      fs.FileInfo
}

// below returns its name in the folder that openRootOf opened.
func (f localFile) below() string {
	if f.rel == "" {
		return filepath.Base(f.name)
	}
	return filepath.FromSlash(f.rel)
}

// walk calls each for everything that can be copied, folders before their
// content.
func (c *copying) walk(ctx context.Context, from string, each func(localFile) error) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if rel = filepath.ToSlash(rel); rel == "." {
			rel = ""
		}
		return each(localFile{name: name, rel: rel, info: info})
	})
}

// measure adds up the sizes to copy.
func (c *copying) measure(ctx context.Context, from string) error {
	return c.walk(ctx, from, func(f localFile) error {
		if f.info.Mode().IsRegular() {
			c.all += f.info.Size()
		}
		return nil
	})
}

// pack streams an archive into the container, whose tar restores neither
// owners nor times: both need rights that a container may not have.
func (c *copying) pack(ctx context.Context, from, target string) error {
	var writing string
	command := []string{"tar", "-x", "-m", "-o", "-f", "-", "-C", argument(path.Dir(target))}
	words, err := c.pipeIn(ctx, command, func(to io.Writer) error {
		archive := tar.NewWriter(to)
		err := c.walk(ctx, from, func(f localFile) error {
			writing = path.Join(target, f.rel)
			return c.entry(archive, f, path.Base(target))
		})
		if err != nil {
			return err
		}
		return archive.Close()
	})
	if exitOf(err) > 0 {
		err = &copyError{actions.Other, "the container's tar says: " + strings.Join(words.lines(), "; "), err}
	}
	if err != nil && writing != "" && !noProgram(err) {
		err = c.clear(writing, err)
	}
	return err
}

// entry writes one file. The GNU format has long names that every tar reads.
func (c *copying) entry(archive *tar.Writer, f localFile, base string) error {
	link := ""
	switch mode := f.info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		to, why := linkWithin(f, c.from)
		if why != "" {
			c.skip(f.rel, why)
			return nil
		}
		link = to
	case !mode.IsRegular() && !mode.IsDir():
		c.skip(f.rel, "a device, a socket or a pipe")
		return nil
	}
	header, err := tar.FileInfoHeader(f.info, link)
	if err != nil {
		return err
	}
	header.Name = "./" + path.Join(base, f.rel)
	if f.info.IsDir() {
		header.Name += "/"
	}
	header.Format, header.Mode = tar.FormatGNU, header.Mode&0o777
	header.Uid, header.Gid, header.Uname, header.Gname = 0, 0, "", ""
	header.AccessTime, header.ChangeTime = time.Time{}, time.Time{}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	if !f.info.Mode().IsRegular() {
		return nil
	}
	return c.content(archive, f)
}

// linkWithin reads a link that stays inside the copy; for another it returns
// where it leads.
func linkWithin(f localFile, from *os.Root) (to, why string) {
	to, err := from.Readlink(filepath.FromSlash(f.rel))
	if err != nil {
		return "", "a link that cannot be read: " + client.Printable(err.Error())
	}
	to = filepath.ToSlash(to)
	if why := leadsOut(from, ".", path.Dir(f.rel), to); why != "" {
		return "", "a link to " + client.Printable(to) + ", " + why
	}
	return to, ""
}

// content writes a file up to the size it had when it was measured.
func (c *copying) content(to io.Writer, f localFile) error {
	file, err := c.from.Open(f.below())
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	n, err := io.CopyBuffer(&progressWriter{to, c}, io.LimitReader(file, f.info.Size()), c.between())
	if err == nil && n < f.info.Size() {
		err = &copyError{actions.Other, f.name + " became shorter while it was copied", nil}
	}
	if err == nil {
		c.done.Files++
		c.done.Bytes += n
	}
	return err
}

// progressWriter reports the bytes written.
type progressWriter struct {
	io.Writer
	of *copying
}

func (t *progressWriter) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	t.of.progress(n)
	return n, err
}

// pipeIn passes what write writes to a command's input. An error of write ends
// the command and is returned rather than the command's, unless the command
// ended first.
func (c *copying) pipeIn(ctx context.Context, command []string, write func(io.Writer) error) (*commandOutput, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	wrote := make(chan error, 1)
	go func() {
		err := write(to)
		if err != nil {
			cancel()
		}
		_ = to.CloseWithError(err)
		wrote <- err
	}()
	words, err := c.command(ctx, from, io.Discard, command...)
	_ = from.CloseWithError(errEnded)
	writeErr := <-wrote
	switch {
	case writeErr != nil && !errors.Is(writeErr, errEnded):
		return words, writeErr
	case err == nil && writeErr != nil:
		return words, &copyError{actions.Other, command[0] + " ended before all was written", writeErr}
	}
	return words, err
}

// errEnded is a writer's error when the other end of its pipe has ended.
var errEnded = errors.New("the other end has ended")

// clearTimeout limits the removal of an incomplete file after a failure.
const clearTimeout = 10 * time.Second

// clear removes an incomplete file in the container, whatever ended the copy,
// and mentions it in the error.
func (c *copying) clear(name string, why error) error {
	ctx, cancel := context.WithTimeout(context.Background(), clearTimeout)
	defer cancel()
	_, err := c.command(ctx, nil, io.Discard, "rm", "-f", argument(name))
	kind, text := actions.Other, why.Error()
	var failed *actions.Failure
	var own *copyError
	switch {
	case errors.As(why, &own):
		kind = own.kind
	case errors.As(why, &failed):
		kind = failed.Kind
	}
	if err != nil {
		return &copyError{kind, text + "; " + name + " in the container may be incomplete", why}
	}
	return &copyError{kind, text + "; " + name + ", which was incomplete, is removed from the container", why}
}
