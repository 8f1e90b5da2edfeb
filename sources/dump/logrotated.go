package dump

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rotatedName is the name that an older part of a log has: train.log.1 and
// train.log.2.gz, of which a greater number is older; train.log-20261127 of
// logrotate's dateext, train.log.2026-11-27_08-05 of Python's
// TimedRotatingFileHandler, 0.log.20261129-080640.gz of the kubelet
// (pkg/kubelet/logs/container_log_manager.go), and train.log.old.
var rotatedName = regexp.MustCompile(`^(.+\.(?:log|out|err|txt))(?:\.([0-9]{1,3})|[-.]([0-9]{4}-?[0-9]{2}-?[0-9]{2}(?:[-_T]?[0-9]{2}(?:[-_]?[0-9]{2}){0,2})?)|\.old)(?:\.(?:gz|zst|bz2|xz))?$`)

// gatheredFolder is where `oc adm inspect` (4.16) puts what the kubelet rotated:
// logs/rotated/0.log.DATE beside logs/current.log, which goes on after it.
var gatheredFolder = regexp.MustCompile(`^(.*/logs)/rotated/[0-9]{1,6}\.log$`)

// rotatedPart is what the name of an older part shows: of which file it is one,
// and its number, or the digits of its time.
type rotatedPart struct {
	whole  string
	number int
	time   string
}

// rotatedPartOf parses the name of a file that rotation made.
func rotatedPartOf(path string) (part rotatedPart, is bool) {
	name := rotatedName.FindStringSubmatch(strings.ReplaceAll(path, `\`, "/"))
	if name == nil {
		return part, false
	}
	part.number, _ = strconv.Atoi(name[2]) // three digits at most
	part.whole = gatheredFolder.ReplaceAllString(name[1], "$1/current.log")
	part.time = strings.NewReplacer("-", "", "_", "", "T", "").Replace(name[3])
	return part, true
}

// byAgeOfParts orders rotated parts of one file, the oldest first.
func byAgeOfParts(a, b *tail) int {
	x, _ := rotatedPartOf(a.path)
	y, _ := rotatedPartOf(b.path)
	return cmp.Or(cmp.Compare(y.number, x.number), strings.Compare(x.time, y.time))
}

// wasRotated reports whether a file has a rotated part among others: what was printed
// before is in it.
func wasRotated(file string, others []folderFile) bool {
	return slices.ContainsFunc(others, func(other folderFile) bool {
		part, is := rotatedPartOf(other.path)
		return is && part.whole == strings.ReplaceAll(file, `\`, "/")
	})
}

// joinRotated makes the rotated parts of a log one with the file that is still
// written, so that they are read as one stream in order. Without that file they
// stay apart, as numbers may be those of ranks; parts that the kubelet made are
// one with the newest of them.
func (r *logReader) joinRotated() {
	parts := map[string][]*tail{}
	for _, t := range r.tails {
		if part, is := rotatedPartOf(t.path); is && t.in == nil && t.given < 0 {
			parts[part.whole] = append(parts[part.whole], t)
		}
	}
	for name, older := range parts {
		slices.SortFunc(older, byAgeOfParts)
		var whole *tail
		if at := slices.IndexFunc(r.tails, func(t *tail) bool {
			return t.in == nil && t.given < 0 && strings.ReplaceAll(t.path, `\`, "/") == name
		}); at >= 0 {
			whole = r.tails[at]
		} else if _, kubelets := ofKubelet(elementsOf(name)); kubelets {
			whole, older = older[len(older)-1], older[:len(older)-1]
		} else {
			continue
		}
		for _, part := range older {
			whole.earlier = append(whole.earlier, part.path)
			r.arg(part.arg).files--
		}
		r.tails = slices.DeleteFunc(r.tails, func(t *tail) bool { return slices.Contains(older, t) })
	}
}

// readEarlier passes the rotated parts of a log to its feeder, before anything
// of the file itself was read.
func (t *tail) readEarlier(ctx context.Context) error {
	if t.lines != nil {
		return nil
	}
	for _, path := range t.earlier {
		if err := t.readAs(ctx, path); err != nil {
			return err
		}
		t.forgetMoved()
		t.offset, t.mark, t.packed, t.order = 0, 0, false, nil
		t.start, t.end, t.info, t.stored = nil, nil, nil, countedBytes{}
	}
	return nil
}
