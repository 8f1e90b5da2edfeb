package dump

import "errors"

// within is where the file of a log was when it was first opened.
type within struct {
	known bool
	// folder is the given folder without links, where the file was in it, "" for
	// a file that is given by itself or to which a link led out of the folder.
	folder string
}

// checkLinks refuses a followed file that was in the folder which was given, and
// to which links lead out of that folder by now. At the start such a file is named
// beside what is read, and such a folder is not read.
func (t *tail) checkLinks(name string) error {
	d := t.reader.disk
	real, err := d.Real(name)
	if err != nil || !t.reader.follow {
		return nil // opening it reports the error
	}
	if !t.within.known {
		t.within.known = true
		_, arg := splitRank(d, t.arg)
		info, err := d.Stat(arg)
		if err != nil || !info.IsDir() {
			return nil
		}
		if folder, err := d.Real(arg); err == nil && inside(folder, real) {
			t.within.folder = folder
		}
	}
	if t.within.folder == "" || inside(t.within.folder, real) {
		return nil
	}
	return errors.New("a link leads out of the folder by now, to " + plain(real) + ", which is not read; name it with --from to read it")
}
