package main

import (
	"go/ast"
	"go/parser"
	"go/token"
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
