package act

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/traintop/traintop/actions"
)

// into is the local folder in which files are written. It is an os.Root: no
// name, and no link written before, leads out of it.
type into struct {
	root *os.Root
	// name is the file or folder being copied, relative to the root.
	name string
	of   *copying
	// usable is the last path found to be a folder, without links.
	usable string
	links  pendingLinks
}

func openInto(target string, of *copying) (*into, error) {
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return nil, fmt.Errorf("opening the folder to copy to: %w", err)
	}
	return &into{root: root, name: filepath.Base(target), of: of}, nil
}

func (d *into) Close() error { return d.root.Close() }

// extract writes the entries of an archive below the name; prefix is the name
// in the archive. It skips entries that are neither file, folder nor a link
// that stays inside.
func (d *into) extract(ctx context.Context, archive *tar.Reader, prefix string) error {
	for entries := 0; ; entries++ {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF) && entries == 0:
			return errNothing
		case errors.Is(err, io.EOF):
			return d.makeLinks(ctx)
		case err != nil:
			return fmt.Errorf("reading what the container's tar wrote: %w", err)
		}
		name, below := d.place(header.Name, prefix)
		if !below {
			d.of.skip(header.Name, misplaced(header.Name))
			continue
		}
		err = d.entry(ctx, archive, header, name, prefix)
		var named *nameError
		if errors.As(err, &named) && name != d.name {
			d.of.skip(path.Clean(header.Name), named.why)
		} else if err != nil {
			return err
		}
	}
}

// misplaced returns why an entry cannot be placed here.
func misplaced(entry string) string {
	switch why := unfit(entry); {
	case why != "":
		return why
	case len(entry) > longestName:
		return "its name is too long"
	}
	return "its name leads out of what is copied"
}

// place returns the path of an entry relative to the root.
func (d *into) place(entry, prefix string) (string, bool) {
	if path.IsAbs(entry) || len(entry) > longestName || unfit(entry) != "" {
		return "", false
	}
	entry = path.Clean(entry)
	rest := entry
	if prefix != "." {
		var below bool
		rest, below = strings.CutPrefix(entry, prefix)
		if !below || rest != "" && rest[0] != '/' {
			return "", false
		}
		rest = strings.TrimPrefix(rest, "/")
	}
	if rest == "" || rest == "." {
		return d.name, true
	}
	if !filepath.IsLocal(filepath.FromSlash(rest)) {
		return "", false
	}
	return filepath.Join(d.name, filepath.FromSlash(rest)), true
}

func (d *into) entry(ctx context.Context, archive io.Reader, header *tar.Header, name, prefix string) error {
	entry := path.Clean(header.Name)
	switch header.Typeflag {
	case tar.TypeDir, tar.TypeReg, tar.TypeGNUSparse, tar.TypeSymlink:
		if err := d.fits(name); err != nil {
			return err
		}
		return d.make(ctx, archive, header, name, entry)
	case tar.TypeLink:
		d.hardLink(entry, header.Linkname, prefix)
	case tar.TypeChar, tar.TypeBlock, tar.TypeFifo:
		d.of.skip(entry, "a device or a pipe")
	case tar.TypeXGlobalHeader:
	default:
		d.of.skip(entry, "neither a file nor a folder")
	}
	return nil
}

func (d *into) make(ctx context.Context, archive io.Reader, header *tar.Header, name, entry string) error {
	mode := header.FileInfo().Mode().Perm()
	switch header.Typeflag {
	case tar.TypeSymlink:
		d.link(name, entry, header.Linkname)
		return nil
	case tar.TypeDir:
		delete(d.links.links, name)
		return d.folder(name, mode)
	}
	delete(d.links.links, name)
	return d.file(ctx, archive, header, name, mode)
}

// folder makes a folder that its owner can use, whatever its mode in the
// archive.
func (d *into) folder(name string, mode fs.FileMode) error {
	err := d.root.Mkdir(name, mode|0o700)
	if !errors.Is(err, fs.ErrExist) {
		return ofName(err)
	}
	info, err := d.root.Lstat(name)
	switch {
	case err != nil:
		return ofName(err)
	case info.IsDir():
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return d.clash(name, "a link here, and a folder there")
	}
	return d.clash(name, "a file here, and a folder there")
}

// clash reports that a local entry is of another type than the copied one, for
// one entry or for the whole copy.
func (d *into) clash(name, why string) error {
	if name == d.name {
		return &copyError{actions.Exists, filepath.Join(d.root.Name(), name) + " is " + why, fs.ErrExist}
	}
	return &nameError{why}
}

func (d *into) file(ctx context.Context, archive io.Reader, header *tar.Header, name string, mode fs.FileMode) error {
	if d.of.all == 0 && name == d.name {
		d.of.all = header.Size
	}
	file, err := d.begin(name, mode)
	if err != nil {
		return err
	}
	if isSparse(header) {
		file.to = holeWriter{file.file}
	}
	err = file.fill(ctx, archive, header.Size)
	if err == nil && isSparse(header) {
		err = file.file.Truncate(header.Size) // it may end with a hole
	}
	if err != nil {
		file.drop()
		return err
	}
	return file.keep(ctx, d.of.remoteOf(name, d.name))
}

// remoteOf returns the container path of a file below the target.
func (c *copying) remoteOf(name, target string) string {
	rest, _ := strings.CutPrefix(filepath.ToSlash(name), filepath.ToSlash(target))
	return path.Clean(c.transfer.Remote) + rest
}

// partial is a file being written under a temporary name, so that an existing
// file stays until the new one is complete.
type partial struct {
	into       *into
	file       *os.File
	to         io.Writer // the file, or a holeWriter
	name, part string
	sum        hash.Hash
	size       int64
}

// tries limits how many temporary names are tried.
const tries = 20

func (d *into) begin(name string, mode fs.FileMode) (*partial, error) {
	switch info, err := d.root.Lstat(name); {
	case err == nil && info.IsDir():
		return nil, d.clash(name, "a folder here, and a file there")
	case err == nil && !d.of.transfer.Overwrite:
		return nil, d.clash(name, "here already, as another file of the same name")
	}
	var err error
	for range tries {
		part := filepath.Join(filepath.Dir(name), fmt.Sprintf(".traintop.part-%08x", rand.Uint32()))
		var file *os.File
		file, err = d.root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o600)
		if err == nil {
			return &partial{into: d, file: file, to: file, name: name, part: part, sum: sha256.New()}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return nil, ofName(err)
}

// fill writes size bytes.
func (p *partial) fill(ctx context.Context, from io.Reader, size int64) error {
	to := io.MultiWriter(p.to, p.sum)
	buffer := p.into.of.between()
	looked := int64(-lookForSpace)
	for p.size < size {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.size-looked >= lookForSpace {
			looked = p.size
			if err := p.into.hasSpace(p.name, size-p.size); err != nil {
				return err
			}
		}
		n, err := from.Read(buffer)
		if n > 0 {
			if _, writeErr := to.Write(buffer[:n]); writeErr != nil {
				return writeErr
			}
			p.size += int64(n)
			p.into.of.progress(n)
		}
		switch {
		case errors.Is(err, io.EOF) && p.size == size:
			return nil
		case errors.Is(err, io.EOF):
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
	}
	return nil
}

// drop removes the temporary file.
func (p *partial) drop() {
	if p == nil {
		return
	}
	_ = p.file.Close()
	_ = p.into.root.Remove(p.part)
}

// keep renames the file to its final name, and queues its checksum for
// comparison.
func (p *partial) keep(ctx context.Context, remote string) error {
	err := p.file.Close()
	if err == nil {
		err = p.into.root.Rename(p.part, p.name)
	}
	if err != nil {
		_ = p.into.root.Remove(p.part)
		return ofName(err)
	}
	c := p.into.of
	c.done.Files++
	c.done.Bytes += p.size
	return c.sums.add(ctx, copied{
		remote: remote, local: filepath.Join(p.into.root.Name(), p.name), size: p.size, sum: p.sum.Sum(nil),
	})
}
