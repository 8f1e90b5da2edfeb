package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	goyaml "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/traintop/traintop/alerts/receivers"
)

// receiversConfig is the part of the configuration file about where alerts are
// sent. It holds for all contexts.
type receiversConfig struct {
	Receivers map[string]receiverSettings `json:"receivers"`
}

// receiverSettings are the settings of one receiver, of the kind that its type
// names.
type receiverSettings struct {
	kind    receivers.Kind
	service receivers.Service
}

const (
	receiversKey = "receivers"
	// typeKey is the setting that names the kind of a receiver.
	typeKey = "type"
)

func receiversConfigKeys() []Key {
	return []Key{{
		name: receiversKey + ".NAME", kind: "`type` and the settings of that type", preset: "none: nothing is sent anywhere", everywhere: true, atStart: true,
		meaning: "where alerts are sent, see docs/receivers.md",
	}}
}

// UnmarshalJSON never fails: a wrong receiver must not keep the others from
// being used. fitReceiver has left what fits.
func (s *receiverSettings) UnmarshalJSON(text []byte) error {
	*s = receiverSettings{}
	var named struct{ Type string }
	if json.Unmarshal(text, &named) != nil {
		return nil
	}
	kind, known := receivers.KindOf(named.Type)
	if !known {
		return nil
	}
	service := kind.New()
	if json.Unmarshal(text, service) == nil {
		s.kind, s.service = kind, service
	}
	return nil
}

// fitReceiver prepares the settings of one receiver for its kind. A receiver
// with a wrong setting is left out: it would not send what, or where, a person
// meant.
func (f *fitting) fitReceiver(node *goyaml.Node, path string, depth int) bool {
	if node.Kind != goyaml.MappingNode {
		f.add(path, "%s is %s; it has to be a map with a type, as in {type: slack, url: {env: SLACK_WEBHOOK_URL}}; it is left out", path, nodeWords(node))
		return false
	}
	if problem := receiverName(strings.TrimPrefix(path, receiversKey+".")); problem != "" {
		f.add(path, "%s: %s; it is left out", path, problem)
		return false
	}
	written, at := &goyaml.Node{Kind: goyaml.ScalarNode, Tag: "!!null"}, path
	for _, child := range settingsIn(node, path) {
		if child.key == typeKey {
			written, at = child.value, child.path
		}
	}
	name := written.Value
	kind, known := receivers.KindOf(name)
	switch types := receivers.Types(); {
	case written.Kind != goyaml.ScalarNode || written.Tag != "!!str" && written.Tag != "!!null":
		f.add(at, "%s is %s; it has to be one of %s; the receiver is left out", at, nodeWords(written), strings.Join(types, ", "))
		return false
	case name == "" || written.Tag == "!!null":
		f.add(at, "%s has no type; types are %s; it is left out", path, strings.Join(types, ", "))
		return false
	case !known:
		f.add(at, "%s has the type %q, and there is no such type of receiver; types are %s%s; it is left out", path, name, strings.Join(types, ", "), didYouMean(name, types))
		return false
	}
	fields := jsonFields(reflect.TypeOf(kind.New()).Elem())
	fields[typeKey] = reflect.TypeFor[string]()
	good := true
	f.keepFields(node, path, func(child setting) bool {
		t, is := fields[child.key]
		if !is {
			f.unknown(path, child.key, sortedKeys(fields))
			return false
		}
		before := len(f.problems)
		fitted := f.fit(child.value, child.path, t, depth+1)
		good = good && len(f.problems) == before
		return fitted
	})
	return good
}

// EveryReceiver is the name that means all receivers.
const EveryReceiver = "all"

var receiverNames = regexp.MustCompile(`^[\pL\pN][\pL\pN._-]*$`)

// receiverName is why a receiver cannot have a name, "" where it can: commands take
// names, several with commas between, and "-" is standard output.
func receiverName(name string) string {
	switch {
	case name == EveryReceiver:
		return EveryReceiver + " means every receiver; give it another name"
	case !receiverNames.MatchString(name):
		return "a name has letters, digits, -, _ and ., and begins with a letter or a digit"
	}
	return ""
}

// checkReceivers removes receivers with settings that cannot be used, and
// reports them.
func (c *receiversConfig) checkReceivers(r *reader) {
	for _, name := range slices.Sorted(maps.Keys(c.Receivers)) {
		path := receiversKey + "." + name
		settings := c.Receivers[name]
		if settings.service == nil {
			r.add(path, "%s has no settings; it is left out", path)
			delete(c.Receivers, name)
			continue
		}
		for _, problem := range settings.service.Check() {
			at := path + "." + problem.Setting
			r.add(at, "%s: %s; the receiver is left out (see docs/receivers.md)", at, problem.Text)
			delete(c.Receivers, name)
		}
	}
}

// ReceiverNames are the names of the receivers that can be used, sorted.
func (c *receiversConfig) ReceiverNames() []string { return slices.Sorted(maps.Keys(c.Receivers)) }

// NamedReceivers are the names of receivers as they were typed, each once; all is
// every one. The error reports that there is none.
func (c *receiversConfig) NamedReceivers(typed []string) ([]string, error) {
	if slices.Contains(typed, EveryReceiver) {
		if len(c.Receivers) == 0 {
			return nil, fmt.Errorf("%s: no receiver is configured in %s; docs/alerts.md says how", EveryReceiver, Path())
		}
		return c.ReceiverNames(), nil
	}
	var names []string
	for _, name := range typed {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// Receiver is the kind and the settings of a receiver. The error names which
// receivers there are.
func (c *receiversConfig) Receiver(name string) (receivers.Kind, receivers.Service, error) {
	if settings, has := c.Receivers[name]; has {
		return settings.kind, settings.service, nil
	}
	return receivers.Kind{}, nil, noReceiver(name, c.ReceiverNames())
}

// noReceiver reports that a receiver is not among those that can be used.
func noReceiver(name string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("there is no receiver %q, and none that can be used in %s; docs/receivers.md says how to write one", name, Path())
	}
	return fmt.Errorf("there is no receiver %q; receivers are %s%s", name, strings.Join(names, ", "), didYouMean(name, names))
}
