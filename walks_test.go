package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"
)

// step is a file that docs/architecture.md names, and the function after it.
var step = regexp.MustCompile("`([a-z0-9/_]+\\.go)`(?: `([A-Za-z0-9_.]+)`)?")

// The walks of docs/architecture.md lead a stranger to functions that are there.
func TestTheWalksNameFunctionsThatAreThere(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, found := strings.Cut(string(text), "## Four walks through the code\n")
	if !found {
		t.Fatal("docs/architecture.md has no walks")
	}
	walks, _, _ = strings.Cut(walks, "\n## ")
	functions := 0
	for _, named := range step.FindAllStringSubmatch(walks, -1) {
		declared, err := functionsOf(named[1])
		switch {
		case err != nil:
			t.Errorf("a walk names %s: %v", named[1], err)
		case named[2] != "" && !declared[named[2]]:
			t.Errorf("a walk names %s in %s, which is not there", named[2], named[1])
		case named[2] != "":
			functions++
		}
	}
	if functions < 30 {
		t.Errorf("the walks name %d functions; four walks have more", functions)
	}
}

// named is a file, and the name that comes before it: `name` in `file`, or
// `name` (`file`).
var named = regexp.MustCompile("(?:`([A-Za-z0-9_.]+)` (?:in |\\())?`([a-z0-9_]+/[a-z0-9/_]+\\.go)`")

// CONTRIBUTING.md and docs/architecture.md send a stranger to names that are there.
func TestTheGuidesNameWhatIsThere(t *testing.T) {
	names := 0
	for _, guide := range []string{"CONTRIBUTING.md", "docs/architecture.md"} {
		text, err := os.ReadFile(guide)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range named.FindAllStringSubmatch(string(text), -1) {
			declared, err := declaredIn(found[2])
			switch {
			case err != nil:
				t.Errorf("%s names %s: %v", guide, found[2], err)
			case found[1] != "" && !declared[found[1]]:
				t.Errorf("%s names %s in %s, which is not there", guide, found[1], found[2])
			case found[1] != "":
				names++
			}
		}
	}
	if names < 20 {
		t.Errorf("the guides name %d functions and tables; they have more", names)
	}
}

// declaredIn are the functions of a file, its methods also without their type,
// and its types, variables and constants.
func declaredIn(name string) (map[string]bool, error) {
	declared, err := functionsOf(name)
	if err != nil {
		return nil, err
	}
	for function := range maps.Clone(declared) {
		if _, method, is := strings.Cut(function, "."); is {
			declared[method] = true
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		general, is := d.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, spec := range general.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				declared[s.Name.Name] = true
			case *ast.ValueSpec:
				for _, value := range s.Names {
					declared[value.Name] = true
				}
			}
		}
	}
	return declared, nil
}

// functionsOf are the functions of a file: Name, or Type.Method.
func functionsOf(name string) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	declared := map[string]bool{}
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is {
			continue
		}
		if receiver := receiverOf(d); receiver != "" {
			declared[receiver+"."+f.Name.Name] = true
		} else {
			declared[f.Name.Name] = true
		}
	}
	return declared, nil
}
