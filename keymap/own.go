package keymap

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// groupOwn is the column of the help screen for keys of a person's own.
const groupOwn = "Yours"

// ownPrefix begins the actions of a person's own keys.
const ownPrefix = "own."

// OwnAction is the action of a person's own key by its number.
func OwnAction(number int) Action { return Action(ownPrefix + strconv.Itoa(number)) }

// OwnNumber is the number of a person's own key.
func OwnNumber(a Action) (number int, ok bool) {
	text, is := strings.CutPrefix(string(a), ownPrefix)
	if !is {
		return 0, false
	}
	number, err := strconv.Atoi(text)
	return number, err == nil
}

// OwnKey is a key of a person's own.
type OwnKey struct {
	// Key is named as the terminal library names it; see ParseKey.
	Key string
	// Scopes are where it holds; none is everywhere.
	Scopes []Scope
	// Means is its label and its sentence.
	Means string
	// Override allows a key that has another meaning there.
	Override bool
	// Impact is the effect on the cluster: Changes is not offered with
	// --readonly.
	Impact Impact
}

// OwnBinding is the binding of a person's own key.
type OwnBinding struct {
	Binding
	override bool
	impact   Impact
}

// OwnBindings are the bindings of a person's own keys, by number.
func OwnBindings(own []OwnKey) []OwnBinding {
	var all []OwnBinding
	for i, k := range own {
		scopes := k.Scopes
		if len(scopes) == 0 {
			scopes = []Scope{Global}
		}
		for _, scope := range scopes {
			b := Binding{Scope: scope, Keys: keys(k.Key), Action: OwnAction(i), Short: k.Means, Long: k.Means, Group: groupOwn, Footer: true}
			all = append(all, OwnBinding{b, k.Override, k.Impact})
		}
	}
	return all
}

// OwnScopes are the scopes that keys of a person's own may be for.
func OwnScopes() []Scope {
	return slices.DeleteFunc(Scopes(), func(s Scope) bool {
		return s == Global || slices.Contains([]Scope{Dialog, Prompt, Typing}, s)
	})
}

// fixed are the keys that cannot be given another meaning: without them nobody
// finds the way back.
var fixed = []string{"esc", "ctrl+c", ":", "?", "enter", "q"}

// Conflict returns an error that names the meaning which a person's key would hide;
// nil for none.
func (k OwnKey) Conflict() error {
	if slices.Contains(fixed, k.Key) {
		return fmt.Errorf("the key %s keeps its meaning", Print(k.Key))
	}
	if k.Override {
		return nil
	}
	scopes := k.Scopes
	if len(scopes) == 0 {
		scopes = []Scope{Global}
	}
	for _, scope := range scopes {
		for _, b := range In(scope) {
			if b.has(k.Key) {
				return fmt.Errorf("the key %s is %s in %s already; choose another one, or add override: true", Print(k.Key), b.Short, scope)
			}
		}
	}
	return nil
}

// named are keys that are not the character they print, as the terminal library
// names them and as people and k9s write them.
var named = map[string]string{
	"enter": "enter", "return": "enter", "tab": "tab", "backtab": "shift+tab", "space": "space", "esc": "esc", "escape": "esc",
	"backspace": "backspace", "insert": "insert", "delete": "delete", "home": "home", "end": "end",
	"pgup": "pgup", "pageup": "pgup", "pgdn": "pgdown", "pgdown": "pgdown", "pagedown": "pgdown",
	"up": "up", "down": "down", "left": "left", "right": "right",
}

// shifted are the signs of digits with shift on the keyboard that k9s assumes.
const shifted = ")!@#$%^&*("

// ParseKey reads a key as people write it ("ctrl-t", "Shift-L", "F5") and
// returns it as the terminal library names it.
func ParseKey(text string) (string, error) {
	rest, modifiers := strings.TrimSpace(text), map[string]bool{}
	for {
		name, after, cut := cutModifier(rest)
		if !cut {
			break
		}
		modifiers[name], rest = true, after
	}
	base, err := baseKey(rest)
	if err != nil {
		return "", fmt.Errorf("%q is no key: %w", text, err)
	}
	if letter, size := utf8.DecodeRuneInString(base); size == len(base) && base != "" {
		switch {
		case modifiers["ctrl"]:
			base = strings.ToLower(base)
		case modifiers["shift"] && letter >= '0' && letter <= '9':
			base = shifted[letter-'0' : letter-'0'+1]
			delete(modifiers, "shift")
		case modifiers["shift"]:
			base = strings.ToUpper(base)
			delete(modifiers, "shift")
		}
	}
	key := ""
	for _, modifier := range []string{"ctrl", "alt", "shift"} {
		if modifiers[modifier] {
			key += modifier + "+"
		}
	}
	return key + base, nil
}

func cutModifier(text string) (name, rest string, cut bool) {
	lower := strings.ToLower(text)
	for _, modifier := range []string{"ctrl", "alt", "shift"} {
		if strings.HasPrefix(lower, modifier) && len(text) > len(modifier)+1 && strings.ContainsRune("-+", rune(text[len(modifier)])) {
			return modifier, text[len(modifier)+1:], true
		}
	}
	return "", text, false
}

func baseKey(text string) (string, error) {
	lower := strings.ToLower(text)
	if name, is := named[lower]; is {
		return name, nil
	}
	if number, is := strings.CutPrefix(lower, "f"); is && len(lower) > 1 {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= 20 {
			return lower, nil
		}
	}
	if utf8.RuneCountInString(text) == 1 && text != " " && text >= " " {
		return text, nil
	}
	return "", errors.New("a key is a letter or sign, F1 to F20, or a name such as home, behind ctrl-, alt- or shift-")
}
