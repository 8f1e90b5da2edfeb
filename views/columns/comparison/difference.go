package comparison

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// differencesOf are the settings that are not the same in all runs whose
// specifications are known: flags first, then variables, then fields. A value
// that differs only by the name of its job is the same.
func differencesOf(runs []Run) []Difference {
	names := map[string]bool{}
	known := 0
	for i := range runs {
		if runs[i].settings != nil {
			known++
		}
		for name := range runs[i].settings {
			names[name] = true
		}
	}
	if known < 2 {
		return nil
	}
	var all []Difference
	for _, name := range slices.Sorted(maps.Keys(names)) {
		d := Difference{Name: name, Values: make([]string, len(runs))}
		same, first := true, -1
		for i := range runs {
			if runs[i].settings == nil {
				continue
			}
			d.Values[i] = runs[i].settings[name]
			if first < 0 {
				first = i
			} else if withoutName(d.Values[i], runs[i].Job) != withoutName(d.Values[first], runs[first].Job) {
				same = false
			}
		}
		if !same {
			all = append(all, d)
		}
	}
	all = withoutRequests(withoutRoles(all, runs))
	slices.SortStableFunc(all, func(a, b Difference) int { return cmp.Compare(orderOf(a.Name), orderOf(b.Name)) })
	return all
}

// withoutName is a value without the name of its job.
func withoutName(value string, job *train.Job) string {
	if len(job.Ref.Name) < 3 {
		return value // part of any word
	}
	return strings.ReplaceAll(value, job.Ref.Name, "")
}

// withoutRoles makes one difference of those that are the same in several
// roles, as flags mostly are.
func withoutRoles(all []Difference, runs []Run) []Difference {
	var kept []Difference
	at := map[string]int{}
	for _, d := range all {
		short := d.Name
		for _, role := range runs[0].Job.Roles {
			if rest, is := strings.CutPrefix(d.Name, role.Name); is && role.Name != "" && len(rest) > 1 && (rest[0] == ' ' || rest[0] == '.') {
				short = rest[1:]
			}
		}
		key := short + "\x00" + strings.Join(d.Values, "\x00")
		if i, has := at[key]; has && short != d.Name {
			kept[i].Name = short
			continue
		}
		at[key] = len(kept)
		kept = append(kept, d)
	}
	return kept
}

// withoutRequests leaves out what containers request where their limits differ
// in the same way: a limit is what is requested unless another request is made.
func withoutRequests(all []Difference) []Difference {
	limits := map[string][]string{}
	for _, d := range all {
		limits[d.Name] = d.Values
	}
	return slices.DeleteFunc(all, func(d Difference) bool {
		limit, has := limits[strings.Replace(d.Name, "resources.requests.", "resources.limits.", 1)]
		return has && strings.Contains(d.Name, "resources.requests.") && slices.Equal(limit, d.Values)
	})
}

// orderOf puts flags before variables before fields.
func orderOf(name string) int {
	switch {
	case strings.HasPrefix(name, "-") || strings.Contains(name, " -") || strings.HasSuffix(name, programSetting):
		return 0
	case strings.Contains(name, "env "):
		return 1
	}
	return 2
}
