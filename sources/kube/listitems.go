package kube

import (
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/metrics"
)

// listItems collects the objects of a list as they are decoded.
type listItems struct {
	resource client.Resource
	list     *metav1.List
	// slim drops unneeded fields of an object that is kept.
	slim func(runtime.Object)
	// each, unless nil, gets the objects, so that none is kept. It is for
	// lists of resource amounts, which are checked before they are parsed.
	each  func(runtime.Object)
	count int
	// scratch is decoded into repeatedly if no object is kept.
	scratch client.ListItem
	// room bounds the list, nil for none, and bytes are those of its objects.
	room  *client.ListRoom
	bytes int64
}

// roomEvery is after how many objects it is looked whether there is room for more.
const roomEvery = 256

var (
	errAmount = errors.New("it has an amount that is none")
	// errGoesOn ends a list of which the first objects are used.
	errGoesOn = &client.CutListError{Why: fmt.Sprintf("the list goes on after %d objects, which is all that is read of one", client.MostObjects)}
)

// add decodes the next object. One that cannot be decoded counts as well.
func (l *listItems) add(text []byte, decode func(client.ListItem) error) error {
	switch {
	case l.count < client.MostObjects:
	case l.each != nil:
		return client.TooMany(client.MostObjects)
	default:
		return errGoesOn
	}
	l.count++
	if l.bytes += int64(len(text)); l.count%roomEvery == 0 {
		l.room.Read(l.resource.Form, roomEvery)
		if err := l.room.Full(l.count, l.bytes); err != nil {
			return err
		}
	}
	object := l.empty()
	err := error(nil)
	if l.each != nil && metrics.HasLongExponent(text) {
		err = errAmount
	} else {
		err = decode(object)
	}
	switch {
	case err != nil && l.each != nil:
		l.each(leftOut(err))
	case err != nil:
		l.list.Items = append(l.list.Items, runtime.RawExtension{Object: leftOut(err)})
	case l.each != nil:
		l.each(object)
	default:
		l.slim(object)
		l.list.Items = append(l.list.Items, runtime.RawExtension{Object: object})
	}
	return nil
}

// leftOut replaces an object that cannot be decoded.
func leftOut(why error) *undecoded {
	return &undecoded{"it cannot be decoded: " + client.Printable(why.Error())}
}

// empty returns an object to decode into.
func (l *listItems) empty() client.ListItem {
	if scratch, ok := l.scratch.(interface{ Reset() }); ok {
		scratch.Reset()
		return l.scratch
	}
	object := l.resource.Empty()
	if l.each != nil {
		l.scratch = object
	}
	return object
}
