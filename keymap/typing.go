package keymap

// Scopes of lines that are typed.
const (
	// Prompt is the line of a command, a filter or a question; it has all keys.
	Prompt Scope = "prompt"
	// Typing is every line that is typed, in the prompt and in dialogs.
	Typing Scope = "typing"
)

// Actions of the prompt.
const (
	PromptEnter    Action = "prompt.enter"
	PromptCancel   Action = "prompt.cancel"
	PromptComplete Action = "prompt.complete"
	PromptNext     Action = "prompt.next-suggestion"
	PromptPrevious Action = "prompt.previous-suggestion"
	PromptEarlier  Action = "prompt.earlier"
	PromptLater    Action = "prompt.later"
)

// Actions of every line that is typed.
const (
	CursorLeft      Action = "typing.left"
	CursorRight     Action = "typing.right"
	CursorWordLeft  Action = "typing.word-left"
	CursorWordRight Action = "typing.word-right"
	CursorStart     Action = "typing.start"
	CursorEnd       Action = "typing.end"
	EraseLeft       Action = "typing.erase-left"
	EraseRight      Action = "typing.erase-right"
	EraseWordLeft   Action = "typing.erase-word-left"
	EraseWordRight  Action = "typing.erase-word-right"
	EraseToStart    Action = "typing.erase-to-start"
	EraseToEnd      Action = "typing.erase-to-end"
)

// groupType is the help screen's column of them.
const groupType = "While typing"

// typing are the keys of lines that are typed: those of shells.
func typing() []Binding {
	return []Binding{
		{Prompt, keys("enter"), PromptEnter, "enter", "run the command, keep the filter, answer the question", groupType, false},
		{Prompt, keys("esc"), PromptCancel, "cancel", "close the prompt; a filter goes with it", groupType, false},
		{Prompt, keys("tab"), PromptComplete, "complete", "take the grey suggestion; at the end of the line, right does it too", groupType, false},
		{Prompt, keys("ctrl+n", "shift+tab"), PromptNext, "next suggestion", "the next suggestion", groupType, false},
		{Prompt, keys("ctrl+p"), PromptPrevious, "previous suggestion", "the suggestion before", groupType, false},
		{Prompt, keys("up"), PromptEarlier, "earlier", "what was entered here before", groupType, false},
		{Prompt, keys("down"), PromptLater, "later", "what was entered after it", groupType, false},
		{Prompt, keys("ctrl+c"), Quit, "quit", "quit", groupType, false},

		{Typing, keys("left", "ctrl+b"), CursorLeft, "left", "one character to the left", groupType, false},
		{Typing, keys("right", "ctrl+f"), CursorRight, "right", "one character to the right", groupType, false},
		{Typing, keys("alt+left", "ctrl+left", "alt+b"), CursorWordLeft, "word left", "one word to the left", groupType, false},
		{Typing, keys("alt+right", "ctrl+right", "alt+f"), CursorWordRight, "word right", "one word to the right", groupType, false},
		{Typing, keys("home", "ctrl+a"), CursorStart, "start", "to the start of the line", groupType, false},
		{Typing, keys("end", "ctrl+e"), CursorEnd, "end", "to the end of the line", groupType, false},
		{Typing, keys("backspace", "ctrl+h"), EraseLeft, "erase", "erase the character before the cursor; an empty prompt is closed", groupType, false},
		{Typing, keys("delete", "ctrl+d"), EraseRight, "erase right", "erase the character under the cursor", groupType, false},
		{Typing, keys("ctrl+w", "alt+backspace", "ctrl+backspace"), EraseWordLeft, "erase word", "erase the word before the cursor", groupType, false},
		{Typing, keys("alt+d", "alt+delete", "ctrl+delete"), EraseWordRight, "erase word right", "erase the word behind the cursor", groupType, false},
		{Typing, keys("ctrl+u"), EraseToStart, "erase to start", "erase all before the cursor", groupType, false},
		{Typing, keys("ctrl+k"), EraseToEnd, "erase to end", "erase all behind the cursor", groupType, false},
	}
}
