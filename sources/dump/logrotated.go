package dump

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rotatedName is the name that logrotate and loggers give to an older part of a
// log: train.log.1, train.log.2.gz. A greater number is older.
var rotatedName = regexp.MustCompile(`^(.+\.(?:log|out|err|txt))\.([0-9]{1,3})(?:\.(?:gz|zst|bz2|xz))?$`)

// joinRotated makes the rotated parts of a log one with the file that is still
// written, so that they are read as one stream in order. Files that may grow
// and logs of pods stay apart: names of the kubelet tell of their container.
func (r *logReader) joinRotated() {
	if r.follow {
		return
	}
	parts := map[*tail][]*tail{}
	for _, t := range r.tails {
		name := rotatedName.FindStringSubmatch(strings.ReplaceAll(t.path, `\`, "/"))
		if name == nil || t.in != nil || t.given >= 0 {
			continue
		}
		if id, _ := streamOf(t.path, r.pods); id.Pod != "" {
			continue
		}
		at := slices.IndexFunc(r.tails, func(whole *tail) bool {
			return whole.in == nil && whole.given < 0 && strings.ReplaceAll(whole.path, `\`, "/") == name[1]
		})
		if at >= 0 {
			parts[r.tails[at]] = append(parts[r.tails[at]], t)
		}
	}
	for whole, older := range parts {
		slices.SortFunc(older, func(a, b *tail) int { return cmp.Compare(rotation(b.path), rotation(a.path)) })
		for _, part := range older {
			whole.earlier = append(whole.earlier, part.path)
			r.arg(part.arg).files--
		}
		r.tails = slices.DeleteFunc(r.tails, func(t *tail) bool { return slices.Contains(older, t) })
	}
}

// rotation returns the number of a rotated part, which is greater for an older
// one.
func rotation(path string) int {
	n, _ := strconv.Atoi(rotatedName.FindStringSubmatch(strings.ReplaceAll(path, `\`, "/"))[2]) // three digits at most
	return n
}

// readEarlier passes the rotated parts of a log to its feeder.
func (t *tail) readEarlier(ctx context.Context) error {
	for _, path := range t.earlier {
		if err := t.readAs(ctx, path); err != nil {
			return err
		}
		t.offset, t.mark, t.packed, t.order = 0, 0, false, nil
		t.start, t.end, t.info, t.stored = nil, nil, nil, countedBytes{}
	}
	t.earlier = nil
	return nil
}
