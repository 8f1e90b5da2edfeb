package act

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/traintop/traintop/sources/kube/client"
)

// pendingLinks are the links of an archive. They are made after everything
// else, so that nothing is written through one and each can be followed.
type pendingLinks struct {
	order []string
	links map[string]pendingLink
	size  int
}

// pendingLink is one link: its entry name in the archive and its target.
type pendingLink struct{ entry, to string }

// mostLinkBytes limits the memory for pending links: some hundred thousand.
const mostLinkBytes = 64 << 20

func (p *pendingLinks) add(name string, l pendingLink) bool {
	if p.size += len(name) + len(l.entry) + len(l.to); p.size > mostLinkBytes {
		return false
	}
	if p.links == nil {
		p.links = map[string]pendingLink{}
	}
	if _, again := p.links[name]; !again {
		p.order = append(p.order, name)
	}
	p.links[name] = l
	return true
}

// link queues a link, to be made at the end.
func (d *into) link(name, entry, to string) {
	why := ""
	switch info, err := d.root.Lstat(name); {
	case name == d.name:
		why = outOfCopied
	case unfit(to) != "":
		why = unfit(to)
	case err == nil && info.IsDir():
		why = "which is a folder here"
	case err == nil && !d.of.transfer.Overwrite:
		why = "which is here already"
	case !d.links.add(name, pendingLink{entry, to}):
		why = "one of too many"
	}
	if why != "" {
		d.skipLink(entry, to, why)
	}
}

func (d *into) skipLink(entry, to, why string) {
	d.of.skip(entry, "a link to "+client.Printable(to)+", "+why)
}

// makeLinks makes each link that stays inside the copy. Then it follows all of
// them again, since a later link may redirect an earlier one (as may two names
// that are one file here), and removes those that lead out.
func (d *into) makeLinks(ctx context.Context) error {
	var made []string
	for _, name := range d.links.order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l, still := d.links.links[name]; still && d.makeLink(name, l) {
			made = append(made, name)
		}
	}
	for _, name := range made {
		l := d.links.links[name]
		if why := d.linkLeadsOut(name, l.to); why != "" {
			_ = d.root.Remove(name)
			d.skipLink(l.entry, l.to, why)
		}
	}
	return nil
}

func (d *into) makeLink(name string, l pendingLink) bool {
	if why := d.linkLeadsOut(name, l.to); why != "" {
		d.skipLink(l.entry, l.to, why)
		return false
	}
	info, err := d.root.Lstat(name)
	if err == nil && !info.IsDir() && d.of.transfer.Overwrite {
		_ = d.root.Remove(name)
	}
	if err := d.root.Symlink(filepath.FromSlash(l.to), name); err != nil {
		var failed *os.LinkError
		if errors.As(err, &failed) {
			err = failed.Err // without both names, which the message has already
		}
		d.skipLink(l.entry, l.to, "which cannot be made here: "+client.Printable(err.Error()))
		return false
	}
	return true
}

func (d *into) linkLeadsOut(name, to string) string {
	below, _ := strings.CutPrefix(filepath.ToSlash(name), filepath.ToSlash(d.name)+"/")
	return leadsOut(d.root, d.name, path.Dir(below), to)
}

// hardLink reports that a second name of a file is not made.
func (d *into) hardLink(entry, to, prefix string) {
	why := ", which is copied"
	if at, below := d.place(to, prefix); !below || !d.isFile(at) {
		why = ", " + outOfCopied
	}
	d.of.skip(entry, "another name of "+client.Printable(to)+why)
}

func (d *into) isFile(name string) bool {
	info, err := d.root.Lstat(name)
	return err == nil && info.Mode().Type()&^fs.ModePerm == 0
}
