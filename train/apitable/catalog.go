package apitable

import (
	"cmp"
	"slices"
	"strings"
)

// Catalog is what an API server serves, in the order in which it lists its groups.
type Catalog struct {
	Resources []Resource
	// Failed are the versions, or groups, that did not answer with their resources:
	// what they serve is not known.
	Failed []string
}

// Find returns the resource that a person means: its plural, singular, short name or
// kind, without regard to case, alone or with its group or version: "deploy",
// "jobs.batch", "nodes.v1", "deployments.v1.apps", "core/nodes", "apps/v1/deployments".
// Of resources with the same name, one with the name as its plural comes before one that
// is only called so, then the order of the server decides.
func (c *Catalog) Find(name string) (Resource, bool) {
	name, by := split(strings.ToLower(name))
	found, best := Resource{}, 0
	for _, r := range c.Resources {
		if !r.calls(name) || !r.Can("list") {
			continue
		}
		if by == "" && !r.Preferred || by != "" && !r.qualified(by) {
			continue
		}
		if rank := r.fit(name); rank > best {
			found, best = r, rank
		}
	}
	return found, best > 0
}

// fit orders resources that a name calls: higher is better.
func (r Resource) fit(name string) int {
	fit := 1
	if r.Preferred {
		fit++
	}
	if name == r.Plural || name == r.Singular {
		fit += 2
	}
	return fit
}

// split separates a name from its group and version: "jobs.v1.batch" and
// "batch/v1/jobs" are "jobs" and "v1.batch".
func split(name string) (plural, by string) {
	if parts := strings.Split(name, "/"); len(parts) > 1 {
		last := len(parts) - 1
		slices.Reverse(parts[:last])
		return parts[last], strings.TrimSuffix(strings.Join(parts[:last], "."), ".core")
	}
	plural, by, _ = strings.Cut(name, ".")
	return plural, by
}

// Kind returns the resource of a kind, in its preferred version.
func (c *Catalog) Kind(group, kind string) (Resource, bool) {
	i := slices.IndexFunc(c.Resources, func(r Resource) bool {
		return r.Preferred && r.Group == group && r.Kind == kind && r.Can("list")
	})
	if i < 0 {
		return Resource{}, false
	}
	return c.Resources[i], true
}

// Names are the names of all that can be listed.
func (c *Catalog) Names() []string {
	var names []string
	for _, r := range c.Listed() {
		names = append(names, c.NameOf(r))
	}
	return names
}

// NameOf is the plural of a resource, with its group where several groups have it.
func (c *Catalog) NameOf(r Resource) string {
	for _, other := range c.Resources {
		if other.Plural == r.Plural && other.Group != r.Group && other.Preferred && other.Can("list") {
			return r.FullName()
		}
	}
	return r.Plural
}

// Listed are the resources that can be listed, in their preferred version.
func (c *Catalog) Listed() []Resource {
	var listed []Resource
	for _, r := range c.Resources {
		if r.Preferred && r.Can("list") {
			listed = append(listed, r)
		}
	}
	return listed
}

// WithoutVerbs are the resources that discovery names without a verb, in their
// preferred version, of subresources neither. Whether they can be read is not known.
func (c *Catalog) WithoutVerbs() []Resource {
	var silent []Resource
	for _, r := range c.Resources {
		if r.Preferred && len(r.Verbs) == 0 && !r.PathOnly {
			silent = append(silent, r)
		}
	}
	return silent
}

// Unreadable returns the served resource that a name calls where it has no verb list.
func (c *Catalog) Unreadable(name string) (Resource, bool) {
	name, by := split(strings.ToLower(name))
	for _, r := range c.Resources {
		if r.calls(name) && !r.Can("list") && (by == "" || r.qualified(by)) {
			return r, true
		}
	}
	return Resource{}, false
}

// Near are the names most like a wrong one, the nearest first.
func (c *Catalog) Near(wrong string, most int) []string {
	wrong, _ = split(strings.ToLower(wrong))
	type near struct {
		name     string
		distance int
	}
	var all []near
	for _, r := range c.Listed() {
		least := distance(wrong, r.Plural)
		for _, other := range append([]string{r.Singular}, r.ShortNames...) {
			if other != "" {
				least = min(least, distance(wrong, other))
			}
		}
		if len(wrong) > 2 && strings.Contains(r.Plural, wrong) {
			least = min(least, 1)
		}
		if least <= max(1, len(wrong)/3) {
			all = append(all, near{r.Plural, least})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, n := range all {
		if !slices.Contains(names, n.name) && len(names) < most {
			names = append(names, n.name)
		}
	}
	return names
}

// distance is how many letters have to be added, left out, replaced or exchanged with the
// next one.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(change, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
