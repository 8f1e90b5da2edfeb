package apitable

import (
	"time"

	"github.com/traintop/traintop/train"
)

// Table is the newest state of a listing. It never changes: a source gives a new one.
type Table struct {
	Listing Listing
	// Version is different in each table of a listing.
	Version uint64
	Columns []Column
	// Rows are in the order of namespace and name.
	Rows []*Row
	// Listed is true once the server has listed the objects.
	Listed bool
	// Trouble reports in one line why the table is not up to date, "" for nothing.
	// Refused is true where a right is missing.
	Trouble string
	Refused bool
	// OnlyIn is the namespace that is shown because all may not be listed.
	OnlyIn string
	// Every is how often the objects are listed where they may not be watched, 0
	// where they are watched.
	Every time.Duration
}

// Column is a column that the server defines.
type Column struct {
	Name string
	// Type is string, integer, number, boolean or date.
	Type        string
	Description string
	// Priority is 0 for columns that are always shown.
	Priority int
}

// Row is one object.
type Row struct {
	Namespace, Name, UID string
	Created              time.Time
	Labels               map[string]string
	// Owner is the object's controller, or else its first owner.
	Owner train.Ref
	// Cells are in the order of the columns.
	Cells []string
	// Deleting is true once the object has a deletion timestamp, Completed where the
	// server reports that it has run to its end.
	Deleting, Completed bool
}

// Key is the identity of a row within its table.
func (r *Row) Key() string { return r.Namespace + "/" + r.Name }
