package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
)

// decoded is an answer of the server: a list, or the object of an event.
type decoded struct {
	Kind    string
	version string // resourceVersion of the list
	columns []apitable.Column
	rows    []*apitable.Row
	// newest is the resourceVersion of the last row.
	newest string
	// rowsCame is true once the field with the objects began, and goesOn where
	// the list is only the first page.
	rowsCame, goesOn bool
	status           *metav1.Status
	// from is the row that is read; its cells are used again for the next.
	from rowJSON
}

// readTable decodes a table row by row while it comes in, so that of each object only
// what a row needs is ever in memory. A list of plain objects, from a server that makes
// no tables, becomes a table of names and ages.
func readTable(body io.Reader) (*decoded, error) {
	d := json.NewDecoder(body)
	if err := delimiter(d, '{'); err != nil {
		return nil, err
	}
	t := &decoded{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		if err := t.member(d, name); err != nil {
			return nil, fmt.Errorf("the member %v: %w", name, err)
		}
	}
	switch {
	case t.Kind == "":
		return nil, errors.New("the answer is no list")
	case !t.rowsCame:
		return nil, fmt.Errorf("the answer is no list: it is %s with neither rows nor items", client.Printable(t.Kind))
	case t.goesOn:
		return nil, errors.New("the list is not whole: nobody asked for pages, and the server says that more follow")
	}
	if err := delimiter(d, '}'); err != nil {
		return nil, err
	}
	return t, client.EndOfList(d)
}

func (t *decoded) member(d *json.Decoder, name any) error {
	switch name {
	case "kind":
		return d.Decode(&t.Kind)
	case "metadata":
		var metadata struct {
			ResourceVersion string `json:"resourceVersion"`
			Continue        string `json:"continue"`
		}
		err := d.Decode(&metadata)
		t.version, t.goesOn = metadata.ResourceVersion, metadata.Continue != ""
		return err
	case "columnDefinitions":
		var columns []columnJSON
		err := d.Decode(&columns)
		t.columns = columnsOf(columns)
		return err
	case "rows":
		t.rowsCame = true
		return each(d, t.row)
	case "items":
		t.rowsCame = true
		if t.columns == nil {
			t.columns = plainColumns()
		}
		return each(d, t.item)
	}
	return d.Decode(new(json.RawMessage))
}

// each decodes the elements of an array one by one.
func each(d *json.Decoder, element func(*json.Decoder) error) error {
	if start, err := d.Token(); err != nil || start == nil { // null
		return err
	}
	for n := 1; d.More(); n++ {
		if n > client.MostObjects {
			return client.TooMany(client.MostObjects)
		}
		if err := element(d); err != nil {
			return fmt.Errorf("object %d: %w", n, err)
		}
	}
	return delimiter(d, ']')
}

func delimiter(d *json.Decoder, want rune) error {
	token, err := d.Token()
	if err == nil && token != json.Delim(want) {
		err = fmt.Errorf("%q was expected, not %v", want, token)
	}
	return err
}

// plainColumns are those of a server that makes no tables.
func plainColumns() []apitable.Column {
	return []apitable.Column{{Name: "Name", Type: "string"}, {Name: "Age", Type: "date"}}
}

type columnJSON struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
	Priority    int    `json:"priority"`
}

func columnsOf(defined []columnJSON) []apitable.Column {
	columns := make([]apitable.Column, 0, len(defined))
	for _, c := range defined {
		columns = append(columns, apitable.Column{Name: c.Name, Type: c.Type, Description: c.Description, Priority: c.Priority})
	}
	return columns
}

// objectJSON are the parts of an object's metadata that a row needs. Annotations, which
// may repeat the whole object with its secrets, are not among them.
type objectJSON struct {
	Metadata struct {
		Name              string            `json:"name"`
		Namespace         string            `json:"namespace"`
		UID               string            `json:"uid"`
		ResourceVersion   string            `json:"resourceVersion"`
		CreationTimestamp time.Time         `json:"creationTimestamp"`
		DeletionTimestamp *time.Time        `json:"deletionTimestamp"`
		Labels            map[string]string `json:"labels"`
		OwnerReferences   []struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Name       string `json:"name"`
			UID        string `json:"uid"`
			Controller bool   `json:"controller"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
}

type rowJSON struct {
	Cells      []cell `json:"cells"`
	Conditions []struct {
		Type   string `json:"type"`
		Status string `json:"status"`
	} `json:"conditions"`
	Object objectJSON `json:"object"`
}

// cell is any value as the text of a cell.
type cell string

// UnmarshalJSON implements json.Unmarshaler.
func (c *cell) UnmarshalJSON(text []byte) error {
	switch {
	case len(text) == 0 || string(text) == "null":
		*c = ""
	case text[0] == '"' && bytes.IndexByte(text, '\\') < 0 && utf8.Valid(text):
		*c = cell(text[1 : len(text)-1])
	case text[0] == '"':
		return json.Unmarshal(text, (*string)(c))
	default:
		*c = cell(text)
	}
	return nil
}

func (t *decoded) row(d *json.Decoder) error {
	from := &t.from
	*from = rowJSON{Cells: from.Cells[:0]}
	if err := d.Decode(from); err != nil {
		return err
	}
	row := rowOf(&from.Object)
	row.Cells = make([]string, len(from.Cells))
	for i, c := range from.Cells {
		row.Cells[i] = string(c)
	}
	if row.Name == "" && len(row.Cells) > 0 { // includeObject was not honoured
		row.Name = row.Cells[0]
	}
	for _, c := range from.Conditions {
		row.Completed = row.Completed || c.Type == string(metav1.RowCompleted) && c.Status == string(metav1.ConditionTrue)
	}
	t.add(row, from.Object.Metadata.ResourceVersion)
	return nil
}

func (t *decoded) item(d *json.Decoder) error {
	var from objectJSON
	if err := d.Decode(&from); err != nil {
		return err
	}
	row := rowOf(&from)
	row.Cells = []string{row.Name, ""}
	t.add(row, from.Metadata.ResourceVersion)
	return nil
}

func (t *decoded) add(row *apitable.Row, version string) {
	t.rows = append(t.rows, row)
	t.newest = version
}

func rowOf(o *objectJSON) *apitable.Row {
	m := &o.Metadata
	row := &apitable.Row{
		Namespace: m.Namespace, Name: m.Name, UID: m.UID,
		Created: m.CreationTimestamp, Labels: m.Labels, Deleting: m.DeletionTimestamp != nil,
	}
	for i, owner := range m.OwnerReferences {
		if i == 0 || owner.Controller {
			gv, _ := schema.ParseGroupVersion(owner.APIVersion)
			row.Owner = train.Ref{Group: gv.Group, Kind: owner.Kind, Namespace: m.Namespace, Name: owner.Name, UID: owner.UID}
		}
	}
	return row
}

// event is one event of a watch.
type event struct {
	verb string // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
	*decoded
}

// readEvent decodes the next event of a watch.
func readEvent(d *json.Decoder) (event, error) {
	var frame struct {
		Type   string          `json:"type"`
		Object json.RawMessage `json:"object"`
	}
	if err := d.Decode(&frame); err != nil {
		return event{}, err
	}
	e := event{verb: frame.Type, decoded: &decoded{}}
	if frame.Type == "ERROR" {
		e.status = &metav1.Status{}
		return e, json.Unmarshal(frame.Object, e.status)
	}
	var object struct {
		Kind     string `json:"kind"`
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		ColumnDefinitions []columnJSON      `json:"columnDefinitions"`
		Rows              []json.RawMessage `json:"rows"`
	}
	if err := json.Unmarshal(frame.Object, &object); err != nil {
		return event{}, err
	}
	e.Kind, e.columns = object.Kind, columnsOf(object.ColumnDefinitions)
	if object.Kind != "Table" {
		return e, e.plain(frame.Object)
	}
	e.newest = object.Metadata.ResourceVersion
	for _, raw := range object.Rows {
		if err := e.row(json.NewDecoder(bytes.NewReader(raw))); err != nil {
			return event{}, err
		}
	}
	return e, nil
}

// plain decodes an object of a server that makes no tables.
func (t *decoded) plain(object json.RawMessage) error {
	return t.item(json.NewDecoder(bytes.NewReader(object)))
}
