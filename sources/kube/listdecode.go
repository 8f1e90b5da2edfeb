package kube

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
)

// protobufMagic begins every protobuf answer of the API server
// (k8s.io/apimachinery/pkg/runtime/serializer/protobuf).
var protobufMagic = []byte("k8s\x00")

// maxObject limits one encoded object. etcd accepts 1.5 MiB by default. Some
// twenty lists are read at the same time.
const maxObject = 8 << 20

var (
	errListCut = errors.New("the list broke off before its end")
	errWhole   = errors.New("the server sent whole objects where metadata alone was asked for; they were thrown away")
)

// readList decodes a list object by object as it arrives, so that a list of
// 10,000 pods is never in memory in encoded form, and decoding runs while the
// server encodes. Unlike pages of 500 it costs one request, and unlike a list
// as a watch stream it is compressed.
//
// The envelope is runtime.Unknown: field 2 is the list. Every list of
// Kubernetes has its ListMeta in field 1 and its items in field 2.
func readList(body io.Reader, r client.Resource, slim func(runtime.Object)) (*metav1.List, error) {
	return readListWithin(nil, body, r, slim)
}

// readListWithin is readList as far as there is room.
func readListWithin(room *client.ListRoom, body io.Reader, r client.Resource, slim func(runtime.Object)) (*metav1.List, error) {
	items := &listItems{resource: r, slim: slim, list: &metav1.List{}, room: room}
	err := items.read(body)
	return items.list, err
}

// readEach is readList, but hands each object on and keeps none.
func readEach(body io.Reader, r client.Resource, each func(runtime.Object)) error {
	items := &listItems{resource: r, each: each, list: &metav1.List{}}
	return items.read(body)
}

// read decodes a list in protobuf or JSON.
func (l *listItems) read(body io.Reader) error {
	in := bufio.NewReaderSize(body, 64<<10)
	if magic, err := in.Peek(len(protobufMagic)); err != nil || !bytes.Equal(magic, protobufMagic) {
		return readJSONList(in, l)
	}
	if _, err := in.Discard(len(protobufMagic)); err != nil {
		return err
	}
	d := &listDecoder{in: in, listItems: l}
	complete := false
	err := d.fields(-1, func(field, size int64) error {
		switch field {
		case 1:
			return d.typeMeta(size)
		case 2:
			complete = true
			if d.status {
				return d.failure(size)
			}
			return d.fields(size, d.listField)
		}
		return d.skip(size)
	})
	if err == nil && !complete {
		err = errListCut
	}
	return err
}

// listDecoder reads length-delimited protobuf fields.
type listDecoder struct {
	*listItems
	in *bufio.Reader
	// buffer holds one object at a time; decoding copies from it.
	buffer []byte
	read   int64
	// status is true if the server sent a Status instead of the list.
	status bool
}

// fields visits the fields of a message of the given size; a negative size
// reaches to the end of the stream.
func (d *listDecoder) fields(size int64, visit func(field, size int64) error) error {
	end := d.read + size
	for size < 0 || d.read < end {
		tag, err := d.varint()
		if size < 0 && errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return cut(err)
		}
		const lengthDelimited = 2
		if tag&7 != lengthDelimited {
			if tag&7 != 0 {
				return fmt.Errorf("the list has a field of wire type %d", tag&7)
			}
			if _, err := d.varint(); err != nil { // a number: skipped
				return cut(err)
			}
			continue
		}
		length, err := d.varint()
		if err != nil {
			return cut(err)
		}
		if err := visit(int64(tag>>3), int64(length)); err != nil {
			return err
		}
	}
	return nil
}

func (d *listDecoder) listField(field, size int64) error {
	if field != 1 && field != 2 {
		return d.skip(size)
	}
	text, err := d.bytes(size)
	if err != nil {
		return err
	}
	if field == 1 {
		return d.list.ListMeta.Unmarshal(text)
	}
	return d.add(text, func(object client.ListItem) error { return object.Unmarshal(text) })
}

// typeMeta checks that the list has the requested type: whole objects instead
// of metadata may be Secrets.
func (d *listDecoder) typeMeta(size int64) error {
	text, err := d.bytes(size)
	if err != nil {
		return err
	}
	var is runtime.TypeMeta
	if err := is.Unmarshal(text); err != nil {
		return fmt.Errorf("the kind of the list: %w", err)
	}
	if is.Kind == statusKind {
		d.status = true
		return nil
	}
	return checkListKind(d.resource, is.APIVersion, is.Kind)
}

// failure parses a Status sent instead of the list.
func (d *listDecoder) failure(size int64) error {
	text, err := d.bytes(size)
	if err != nil {
		return err
	}
	var status metav1.Status
	if err := status.Unmarshal(text); err != nil {
		return fmt.Errorf("the Status in place of the list: %w", err)
	}
	return failureOf(&status)
}

// bytes reads a field; the result is valid until the next call.
func (d *listDecoder) bytes(size int64) ([]byte, error) {
	if size < 0 || size > maxObject {
		return nil, fmt.Errorf("the list holds an object of %d bytes; at most %d are read", size, int64(maxObject))
	}
	if int64(cap(d.buffer)) < size {
		d.buffer = make([]byte, size+size/4)
	}
	if _, err := io.ReadFull(d.in, d.buffer[:size]); err != nil {
		return nil, cut(err)
	}
	d.read += size
	return d.buffer[:size], nil
}

func (d *listDecoder) varint() (uint64, error) {
	return binary.ReadUvarint(countedReader{d})
}

func (d *listDecoder) skip(size int64) error {
	n, err := io.CopyN(io.Discard, d.in, size)
	d.read += n
	return cut(err)
}

type countedReader struct{ d *listDecoder }

// ReadByte implements io.ByteReader.
func (c countedReader) ReadByte() (byte, error) {
	b, err := c.d.in.ReadByte()
	if err == nil {
		c.d.read++
	}
	return b, err
}

func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errListCut
	}
	return err
}
