package views

// Setting is one setting of the configuration file.
type Setting struct {
	// Key is its name; Path names it in the file, where a context may have its
	// own: "contexts.prod.theme".
	Key, Path string
	// Value is the one in force as text, From where it comes from: a line of
	// the file, a flag; "" where it is not set and Preset holds.
	Value, From, Preset string
	// Written is the value in the file, "" for none: a flag may win over it.
	Written string
	// Kind describes the allowed values, Choices lists them where they are few.
	Kind    string
	Choices []string
	Meaning string
	// Simple is true for one that is a single text, number or choice: it can be
	// changed on the screen, others in the file.
	Simple bool
	// AtStart is true for one that is read at the start alone.
	AtStart bool
}

// SavePattern adds a format of one's own to the configuration: a regular
// expression with a group for each number, and a line that it reads.
type SavePattern struct{ Name, Match, Example string }

// ChangeSetting asks for another value of a setting.
type ChangeSetting struct{ Key string }

// EditConfig opens the configuration file in the person's editor.
type EditConfig struct{}

func (ChangeSetting) effect() {}
func (SavePattern) effect()   {}
func (EditConfig) effect()    {}
