package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/aliases"
	"github.com/traintop/traintop/views/draw"
)

// resourceCommands open tables of any resource that the cluster serves.
type resourceCommands struct {
	m *model
	// catalog is what the cluster serves, nil before the first answer.
	catalog *apitable.Catalog
	// session is another number in each session.
	session int
}

// begin forgets what the cluster of the session before serves.
func (r *resourceCommands) begin() { r.catalog, r.session = nil, r.session+1 }

// reader reads tables; nil where files are shown.
func (r *resourceCommands) reader() ResourceReader {
	reader, _ := r.m.o.Cluster.(ResourceReader)
	return reader
}

// find returns the resource of a typed name, as far as is known.
func (r *resourceCommands) find(name string) (apitable.Resource, bool) {
	if r.catalog == nil || name == "" {
		return apitable.Resource{}, false
	}
	return r.catalog.Find(name)
}

// names are the names to complete at the prompt.
func (r *resourceCommands) names() []string {
	if r.catalog == nil {
		return nil
	}
	return r.catalog.Names()
}

// aliasRows are the resources as rows of the list of commands. One whose name is a
// command is reached with its group.
func (r *resourceCommands) aliasRows() []aliases.Command {
	if r.catalog == nil {
		return nil
	}
	var rows []aliases.Command
	for _, of := range r.catalog.Listed() {
		name := r.catalog.NameOf(of)
		if c, taken := commandNamed(name); taken && c.name != "pods" {
			name = cmp.Or(of.Group, "core") + "/" + of.Plural
		}
		if name == "pods" {
			continue // a command
		}
		also := slices.DeleteFunc(slices.Concat([]string{of.Singular}, of.ShortNames), func(word string) bool {
			found, _ := r.find(word)
			_, taken := commandNamed(word)
			return word == "" || taken || found.FullName() != of.FullName()
		})
		rows = append(rows, aliases.Command{Name: name, Aliases: also, Help: resourceHelp(of), Resource: true})
	}
	return rows
}

// resourceHelp describes what the table of a resource has.
func resourceHelp(of apitable.Resource) string {
	help := of.Kind + " of " + cmp.Or(of.Group, "core") + "/" + of.Version
	if !of.Namespaced {
		help += ", in no namespace"
	}
	return help
}

// aliasesCommand lists the commands; the resources follow once they are known.
func aliasesCommand(m *model, words []string) tea.Cmd {
	delete(m.lists, views.AliasesRoute{}.Screen()) // aliases may be others since
	return tea.Batch(list(views.AliasesRoute{})(m, words), m.resources.learn())
}

// learn asks for the catalog where it is not known yet, for completion.
func (r *resourceCommands) learn() tea.Cmd {
	if r.catalog != nil || r.reader() == nil {
		return nil
	}
	return r.ask(func(error) tea.Cmd { return nil })
}

// ask asks the cluster what it serves, and goes on with the answer.
func (r *resourceCommands) ask(then func(error) tea.Cmd) tea.Cmd {
	ctx, reader, session := r.m.ctx, r.reader(), r.session
	return r.m.host.OffLoop(func() tea.Msg {
		catalog, err := reader.Resources(ctx)
		return catalogRead{catalog, err, session, then}
	})
}

// catalogRead is the result of ask.
type catalogRead struct {
	catalog *apitable.Catalog
	err     error
	session int
	then    func(error) tea.Cmd
}

func (c catalogRead) arrive(m *model) tea.Cmd {
	if c.session != m.resources.session {
		return nil // of another context
	}
	if c.err == nil {
		m.resources.catalog = c.catalog
		m.typing.offerAgain()
		if shown, is := m.top().(*aliases.View); is {
			shown.Use(aliasRows(m))
		}
	}
	return c.then(c.err)
}

// open runs a line whose first word is no command: it opens the table of the
// resource that the word names. A name that is not known is looked up again:
// the resource may have been defined meanwhile.
func (r *resourceCommands) open(words []string) tea.Cmd {
	name := words[0]
	switch {
	case r.reader() == nil:
		return r.m.say(draw.Clean(name)+" is no command; tables of resources need a cluster; ctrl-a lists commands", true)
	case r.m.travel.past():
		return r.m.say("tables of the API server show the present only; "+keymap.Print(keymap.KeyOf(keymap.TravelNow))+" goes back to now", true)
	}
	if found, known := r.find(name); known {
		return r.table(found, words)
	}
	return tea.Batch(r.m.say("asking the cluster which resources it serves"+r.m.theme.Glyphs.Ellipsis, false), r.ask(func(err error) tea.Cmd {
		found, known := r.find(name)
		switch {
		case known:
			r.m.notice = notice{generation: r.m.notice.generation + 1} // it was asked and answered
			return r.table(found, words)
		case err != nil:
			return r.m.say(draw.Clean(name)+" is no command, and "+err.Error(), true)
		}
		return r.m.say(r.unknown(name), true)
	}))
}

// table opens the table of a resource; the words after its name narrow it.
func (r *resourceCommands) table(found apitable.Resource, words []string) tea.Cmd {
	r.m.history.begin(r.m.stack)
	r.m.history.add(strings.Join(words, " "))
	return list(views.TableRoute{Resource: found.In("")})(r.m, words[1:])
}

// mostNear is how many like names are offered.
const mostNear = 4

// unknown reports that nothing has a name, and which names are like it.
func (r *resourceCommands) unknown(name string) string {
	if served, is := r.catalog.Unreadable(name); is {
		return unreadable(served)
	}
	text := draw.Clean(name) + " is no command and no resource of this cluster"
	if near := r.catalog.Near(name, mostNear); len(near) > 0 {
		text += "; near: " + draw.Clean(strings.Join(near, ", "))
	}
	if failed := r.catalog.Failed; len(failed) > 0 {
		text += fmt.Sprintf("; what %s serves is not known: the server did not name it", draw.Clean(strings.Join(failed, ", ")))
	}
	return text + "; ctrl-a lists commands"
}

// unreadable reports why a resource that is served has no table.
func unreadable(served apitable.Resource) string {
	name := draw.Clean(served.FullName())
	if len(served.Verbs) == 0 {
		return "discovery names " + name + " without verbs, so it is not known whether they can be listed; kubectl get " + name + " asks for them all the same"
	}
	return name + " cannot be listed: discovery names only " + draw.Clean(strings.Join(served.Verbs, ", "))
}

// showObject opens the table of an object's resource, with the cursor on the
// object; its description where the cluster has no such table.
func (r *resourceCommands) showObject(ref train.Ref) tea.Cmd {
	return r.openKind(ref, ref.Group, ref.Kind, func(of apitable.Resource) views.TableRoute {
		return views.TableRoute{Resource: of.In(""), Select: ref.Namespace + "/" + ref.Name}
	})
}

// showOwned opens the table of what an object owns.
func (r *resourceCommands) showOwned(e views.ShowOwned) tea.Cmd {
	return r.openKind(e.Owner, e.Kind.Group, e.Kind.Kind, func(of apitable.Resource) views.TableRoute {
		return views.TableRoute{Resource: of.In(""), Owner: e.Owner}
	})
}

// openKind opens a table of a kind, or describes ref where there is no such
// table. The cluster is asked first for the kinds that it serves, where they are
// not known.
func (r *resourceCommands) openKind(ref train.Ref, group, kind string, route func(apitable.Resource) views.TableRoute) tea.Cmd {
	if r.reader() == nil {
		return r.m.nav.open(views.DescribeRoute{Ref: ref})
	}
	open := func() (tea.Cmd, bool) {
		if r.catalog == nil {
			return nil, false
		}
		found, known := r.catalog.Kind(group, kind)
		if !known {
			return nil, false
		}
		return r.m.nav.open(route(found)), true
	}
	if cmd, opened := open(); opened {
		return cmd
	}
	return r.ask(func(error) tea.Cmd {
		if cmd, opened := open(); opened {
			return cmd
		}
		return r.m.nav.open(views.DescribeRoute{Ref: ref})
	})
}

// podsCommand opens the table of pods; where files are shown there is none.
func podsCommand(m *model, words []string) tea.Cmd {
	if m.resources.reader() == nil {
		return m.say("files have no list of pods: enter in :jobs or :nodes shows them", false)
	}
	return m.resources.open(slices.Concat([]string{"pods"}, words))
}
