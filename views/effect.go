package views

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Effect is a request of a screen to the shell: one of the types in this file.
// nil requests nothing.
type Effect interface{ effect() }

// Effects are several, done in order.
type Effects []Effect

// OpenScreen opens a screen; its breadcrumb leads back. Screens name each other
// this way and do not import each other.
type OpenScreen struct{ Route Route }

// Back leaves this screen.
type Back struct{}

// Notice shows a line for some seconds; Failed colours it as an error.
type Notice struct {
	Text   string
	Failed bool
}

// CopyText copies a text to the clipboard (OSC 52) and shows Notice, which
// mentions masked secrets.
type CopyText struct{ Text, Notice string }

// SaveFiles saves files; the shell reports their paths. Note names what is in
// none of them, "" when nothing is missing.
type SaveFiles struct {
	Files []File
	Note  string
}

// File is a text to be saved.
type File struct{ Name, Text string }

// SetLogLimit changes how many bytes of lines are kept of a log, so that
// dropped lines can be read again.
type SetLogLimit struct {
	Stream train.StreamID
	Bytes  int
}

// AskLine opens the prompt for a line of text; the screen must be Prompting.
type AskLine struct{ Question Question }

// UseNamespace sets the current namespace, "" for all.
type UseNamespace struct{ Name string }

// UseContext switches to a context of the kubeconfig.
type UseContext struct{ Name string }

// ShowManifest reads an object's YAML; the shell opens it when it has arrived.
// ManagedFields includes metadata.managedFields.
type ShowManifest struct {
	Ref           train.Ref
	ManagedFields bool
}

// ShowInTable opens the table of an object's resource, with the cursor on the
// object.
type ShowInTable struct{ Ref train.Ref }

// ShowOwned opens the table of the objects of a kind that Owner owns.
type ShowOwned struct {
	Owner train.Ref
	Kind  schema.GroupKind
}

// RunCommand runs a line as if typed at the ":" prompt.
type RunCommand struct{ Text string }

// Act carries out an action of the shell (keymap.Shell, keymap.Delete), as if
// its key were pressed, on On, or where that is nil on the screen's selection.
type Act struct {
	Action keymap.Action
	On     []train.Ref
}

// StoreReadings adds readings of GPUs, found in answers of commands, to the
// store.
type StoreReadings struct{ Readings store.Measured }

// FileAnswers keeps answers of probes as evidence beside the job's findings.
type FileAnswers struct{ Answers []diagnose.ProbeAnswer }

// OpenBrowser opens the address of a forwarded port in the browser.
type OpenBrowser struct{ Address string }

// PinJobs pins jobs on top of the list of jobs, or lets them go where all of
// them are pinned.
type PinJobs struct{ Jobs []train.JobID }

// MarkIncidents sets what a person does about incidents.
type MarkIncidents struct {
	IDs  []alerts.IncidentID
	Mark IncidentMark
}

// StopForwards ends forwarded ports.
type StopForwards struct{ IDs []int }

// Confirm is a question with Cancel preset. Where nothing may be changed it is
// refused.
type Confirm struct {
	// Title is the question, Does the label of the button, and Lines describe
	// what will happen.
	Title, Does string
	Lines       []string
	// Then is applied when the person confirms.
	Then Effect
}

func (Effects) effect()       {}
func (OpenScreen) effect()    {}
func (Back) effect()          {}
func (Notice) effect()        {}
func (CopyText) effect()      {}
func (SaveFiles) effect()     {}
func (SetLogLimit) effect()   {}
func (AskLine) effect()       {}
func (UseNamespace) effect()  {}
func (UseContext) effect()    {}
func (ShowManifest) effect()  {}
func (ShowInTable) effect()   {}
func (ShowOwned) effect()     {}
func (RunCommand) effect()    {}
func (Act) effect()           {}
func (StoreReadings) effect() {}
func (FileAnswers) effect()   {}
func (OpenBrowser) effect()   {}
func (PinJobs) effect()       {}
func (MarkIncidents) effect() {}
func (StopForwards) effect()  {}
func (Confirm) effect()       {}
