package dump

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
)

// objectKey identifies an object.
type objectKey struct {
	kind            schema.GroupKind
	namespace, name string
}

// place is the location of an object's text, to read it again.
type place struct {
	file           string
	offset, length int64
	json           bool
	role           role
	list           typeMeta
	uid            string
	version        uint64    // resourceVersion as a number, 0 if it is not one
	created, seen  time.Time // creation, and the newest time in the object
	text           []byte    // only from standard input, which cannot be read again
}

// file reads one file. If it is a log, it only detects that.
func (r *fileReader) file(name string) report {
	in, err := r.files.disk.Open(name)
	if err != nil {
		return report{err: explainOpen(err)}
	}
	defer in.Close() // read only, so this error loses nothing
	before, sized := sizeNow(in)
	text := io.Reader(in)
	if sized && before == 0 {
		text = untilSilent(r.ctx, in, name, r.files.answerWithin, r.files.leftOut)
	}
	o, err := unpack(text)
	if err != nil {
		return report{err: explainOpen(err)}
	}
	got := r.opened(name, o)
	if after, known := sizeNow(in); known && !got.log {
		if why := shrunk(before, after); why != "" {
			got.failed++
			got.broken = append(got.broken, Problem{File: name, Text: why + "; the rest of it is missing: read a copy of it"})
		}
	}
	return got
}

// stream reads an input that cannot be opened twice: standard input, a pipe. A
// log is read later, when the pods are known.
func (r *fileReader) stream(arg, name string, in io.Reader, rank int) report {
	unpacked := unpackStream
	if bounded, is := in.(*interruptible); is && bounded.silence > 0 {
		unpacked = unpack
	}
	o, err := unpacked(in)
	if err != nil {
		return report{err: explainOpen(err)}
	}
	got := r.opened(name, o)
	if name == stdinPath {
		name = stdinName
		if again, kept := r.files.reopenPasted(); got.log && kept {
			o = again // starts with the bytes read to detect its type
		}
	}
	if got.log {
		r.logs.add(arg, name, &o, rank)
	}
	return got
}

// readable reports whether a file can be read again.
func (r *fileReader) readable(name string) bool {
	if name == stdinPath {
		return r.files.pasted != nil
	}
	info, err := r.files.disk.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// opened applies the objects of one file.
func (r *fileReader) opened(name string, o opened) report {
	dumped := dumpLine(firstBytes(o.text))
	switch o.is {
	case isLog:
		if dumped > 0 {
			if skip := missingStart(firstBytes(o.text)); skip > 0 {
				return r.endOfList(name, o, skip)
			}
			return unreadDump(name, dumped)
		}
		if onlyLines(firstBytes(o.text), noLifeLine.Match) {
			return report{foreign: noLifeBefore}
		}
		got := r.asLog(name, o)
		if !r.gpusInLog(name, o) {
			got = r.expectMetrics(got, firstBytes(o.text))
		}
		return got
	case isMetrics:
		got := r.metrics(name, o)
		if r.files.texts && got.trouble() && !got.page && r.readable(name) {
			return report{log: true} // a tool's message about what is wrong
		}
		return got
	case isBinary:
		return report{foreign: o.foreign, unreadable: true}
	case isForeign:
		if r.files.texts && (o.foreign == tableFile || o.foreign == describeFile) {
			return report{log: true, lacks: o.foreign}
		}
		return report{foreign: o.foreign}
	}
	s := &streaming{fileReader: r, name: name, is: o.is}
	if r.files.texts {
		s.head = bytes.Clone(firstBytes(o.text))
	}
	return r.read(s, o, newCutter(o, maxPiece), dumped)
}

// read applies the objects that a cutter finds.
func (r *fileReader) read(s *streaming, o opened, c cutter, dumped int) report {
	name := s.name
	err := decodeAll(c, s.take)
	s.releaseUnnamed(typeMeta{})
	switch {
	case r.ctx.Err() != nil:
		s.got.err = r.ctx.Err()
	case s.full:
		s.got.read, s.got.err = true, s.files.tooMany()
	case err != nil:
		s.got.err = fmt.Errorf("reading stopped before the end: %w", err)
	case !s.got.understood() && s.got.failed > 0 && dumped > 0:
		got := unreadDump(name, dumped)
		got.broken, got.failed = append(got.broken, s.got.broken[:min(len(s.got.broken), maxProblems-1)]...), s.got.failed+1
		return got
	case !s.got.understood() && r.files.texts && s.got.failed > 0 && r.readable(name):
		return s.asText()
	case !s.got.understood() && s.misses == s.got.failed && s.misses > 0:
		return report{foreign: notObjects(o.is)}
	case !s.got.understood() && s.got.failed == 0:
		return report{foreign: "no Kubernetes objects in it"}
	}
	s.got.unreadable = !s.got.understood()
	if said, may := o.saidAside(); may && r.files.texts {
		r.logs.add(name, name, &said, -1)
	} else {
		s.got.aside = o.aside()
	}
	o.beside.addTo(&s.got, name)
	return s.got
}

// asLog treats a text as a log. A text that is certainly not one is a problem
// too, since its lines mean nothing unless they name a failure.
func (r *fileReader) asLog(name string, o opened) report {
	if why := whyNoLog(firstBytes(o.text), r.files.logs); why != "" {
		got := noLog(name, why)
		got.answersNone = noneLine.Match(firstBytes(o.text))
		return got
	}
	return report{log: true}
}

// noLog treats a text as lines anyway, since they may name a failure.
func noLog(name, why string) report {
	return report{log: true, noLog: why, broken: []Problem{{File: name, Text: why}}, failed: 1}
}

// asText treats a file without objects as lines: a part of an object, or a
// text that looks like one. Its broken parts stay problems.
func (s *streaming) asText() report {
	if s.misses < s.got.failed {
		return report{log: true, broken: s.got.broken, failed: s.got.failed}
	}
	return noLog(s.name, cmp.Or(unreadPart(s.head), notObjects(s.is)))
}

func notObjects(is content) string {
	if is == isJSON {
		return "JSON without apiVersion and kind, not Kubernetes objects"
	}
	return "YAML without apiVersion and kind, not Kubernetes objects"
}

// streaming is one file being read.
type streaming struct {
	*fileReader
	name string
	is   content
	head []byte // of the file, if texts count
	got  report
	// unnamed holds items whose list has its kind only after them, as JSON
	// with sorted keys does; unnamedSize limits their text.
	unnamed     []found
	unnamedSize int
	misses      int  // documents that are no Kubernetes objects
	full        bool // no more objects can be kept
}

// maxMisses is after how many documents without a kind, and none with one, a
// file counts as another type (a log in JSON lines, values of a Helm chart).
const maxMisses = 20

// take handles one result, and returns whether to continue.
func (s *streaming) take(f found) bool {
	if !errors.Is(f.err, errNoObject) { // lines of a log are no objects
		s.reportRepeated(f)
	}
	switch {
	case s.ctx.Err() != nil:
		return false
	case f.list:
		s.releaseUnnamed(f.piece.list)
		s.got.read = true
		if f.piece.cutOff() {
			f.err, f.line = errCutList, f.piece.line
		}
		if f.err != nil {
			return s.fail(f)
		}
	case f.unnamed && s.unnamedSize+len(f.piece.text) <= maxPiece:
		s.unnamed = append(s.unnamed, f)
		s.unnamedSize += len(f.piece.text)
	case f.err != nil:
		return s.fail(f)
	case f.deleted && !hasFailed(f.object):
		s.drop(f)
	default:
		s.keep(f)
	}
	return !s.full
}

// releaseUnnamed handles the items that waited for their list's kind.
func (s *streaming) releaseUnnamed(list typeMeta) {
	waiting := s.unnamed
	s.unnamed, s.unnamedSize = nil, 0
	for _, f := range waiting {
		f.piece.list = list
		for _, f := range decode(f.piece) {
			switch {
			case f.err != nil:
				s.fail(f)
			case !f.list:
				s.keep(f)
			}
		}
	}
}

func (s *streaming) fail(f found) bool {
	s.got.failed++
	if errors.Is(f.err, errNoObject) {
		s.misses++
	}
	if len(s.got.broken) < maxProblems {
		s.got.broken = append(s.got.broken, Problem{File: s.name, Line: f.line, Text: f.err.Error()})
	}
	return s.got.understood() || s.misses < maxMisses
}

// keep applies an object, unless an earlier one of the same name has priority.
func (s *streaming) keep(f found) {
	s.declare(f)
	version, _ := strconv.ParseUint(f.object.GetResourceVersion(), 10, 64) // 0: not a number, not comparable
	key := objectKey{f.kind, f.object.GetNamespace(), f.object.GetName()}
	if s.full = s.full || !s.files.hasRoom(key, len(f.piece.text)); s.full {
		return
	}
	s.got.objects++
	if !known(f.kind) {
		s.got.unknown++
	}
	here := place{
		file: s.name, offset: f.piece.offset, length: f.piece.length, json: f.piece.json, role: f.piece.role, list: f.piece.list,
		uid: string(f.object.GetUID()), version: version, created: f.object.GetCreationTimestamp().Time, seen: f.instant,
	}
	if s.name == stdinPath {
		here.text = s.files.keepText(f.piece.text)
	}
	if !s.files.remember(key, here) {
		return
	}
	if p, isPod := f.object.(*corev1.Pod); isPod {
		s.logs.pods.add(podOf(p))
	}
	if e, isEvent := f.object.(*corev1.Event); isEvent {
		s.files.noteEvent(s.name, e)
	}
	s.measured.see(f.object)
	s.clockOf(&f)
	s.out.add(store.Set{Kind: f.kind, Object: f.object})
}

// declare remembers the secrets of an object's variables for the logs, which are
// read afterwards, and masks them in messages that may quote logs.
func (s *streaming) declare(f found) {
	secrets := s.logs.options.Secrets
	for _, v := range f.variables {
		secrets.Declare(v.Name, v.Value)
	}
	switch object := f.object.(type) {
	case *corev1.Pod:
		secrets.Status(&object.Status)
	case *corev1.Event:
		object.Message = secrets.Text(object.Message)
	}
}

// drop removes an object that was deleted after it was read.
func (s *streaming) drop(f found) {
	key := objectKey{f.kind, f.object.GetNamespace(), f.object.GetName()}
	s.got.read = true
	s.clockOf(&f)
	if s.files.forget(key, string(f.object.GetUID())) {
		s.out.add(store.Deleted{Kind: f.kind, Namespace: key.namespace, Name: key.name, UID: string(f.object.GetUID())})
	}
}

// hasFailed reports whether an object is a pod that failed. Deleted since, as operators
// do, it is the one that shows why its rank ended, until another has its name.
func hasFailed(o metav1.Object) bool {
	pod, isPod := o.(*corev1.Pod)
	return isPod && pod.Status.Phase == corev1.PodFailed
}

// forget records a deletion, and reports whether the object was read before.
func (f *Files) forget(key objectKey, uid string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone[deletedKey{key, uid}] = true
	if before, met := f.index[key]; !met || before.uid != uid {
		return false
	}
	delete(f.index, key)
	f.summary.Objects[key.kind]--
	return true
}

// deletedKey is an object that a watch reported as deleted.
type deletedKey struct {
	objectKey
	uid string
}

// remember records the location of an object. It returns false if an earlier
// one has priority, or if the cluster has deleted the object.
func (f *Files) remember(key objectKey, here place) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if here.uid != "" && f.gone[deletedKey{key, here.uid}] {
		return false
	}
	before, met := f.index[key]
	if met {
		f.twice.note(key, &before, &here)
		if !here.replaces(&before) {
			return false
		}
	} else {
		f.summary.Objects[key.kind]++
	}
	f.index[key] = here
	return true
}
