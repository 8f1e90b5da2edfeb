package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The budgets of the layout: what a stranger can still take in.
const (
	mostFiles   = 60 // in a folder, tests not counted
	mostMethods = 60 // of a type
	longestP99  = 40 // lines of the longest function but one in a hundred
)

// rowFolders hold one file for each row of a list, however many rows there are.
var rowFolders = []string{"sources/formats", "train/kinds"}

// overBudget are folders and types that are above a budget. A row may only
// become smaller; one that is within its budget again fails the test until it
// is taken out.
var overBudget = map[string]int{}

// source is one file of ours.
type source struct {
	folder string
	file   *ast.File
	fset   *token.FileSet
}

func sourcesOf(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && name != "." || entry.Name() == "e2e"):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err == nil {
			all = append(all, source{path.Dir(filepath.ToSlash(name)), file, fset})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFoldersAndTypesStayWithinTheirBudgets(t *testing.T) {
	files, methods := map[string]int{}, map[string]int{}
	for _, s := range sourcesOf(t) {
		files[s.folder]++
		for _, d := range s.file.Decls {
			if receiver := receiverOf(d); receiver != "" {
				methods[s.folder+"."+receiver]++
			}
		}
	}
	for _, folder := range rowFolders {
		delete(files, folder)
	}
	checkBudget(t, "files", files, mostFiles)
	checkBudget(t, "methods", methods, mostMethods)
	for name := range overBudget {
		if files[name] == 0 && methods[name] == 0 {
			t.Errorf("overBudget names %s, which is not there", name)
		}
	}
}

func checkBudget(t *testing.T, what string, counts map[string]int, most int) {
	t.Helper()
	for name, n := range counts {
		allowed, known := overBudget[name]
		switch {
		case known && n <= most:
			t.Errorf("%s has %d %s, which is within the budget: take it out of overBudget", name, n, what)
		case known && n > allowed:
			t.Errorf("%s has %d %s and had %d; the budget is %d", name, n, what, allowed, most)
		case !known && n > most:
			t.Errorf("%s has %d %s; the budget is %d", name, n, what, most)
		}
	}
}

func receiverOf(d ast.Decl) string {
	f, is := d.(*ast.FuncDecl)
	if !is || f.Recv == nil {
		return ""
	}
	of := f.Recv.List[0].Type
	if pointer, is := of.(*ast.StarExpr); is {
		of = pointer.X
	}
	if generic, is := of.(*ast.IndexExpr); is {
		of = generic.X
	}
	name, _ := of.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

func TestFunctionsAreShort(t *testing.T) {
	var lengths []int
	for _, s := range sourcesOf(t) {
		for _, d := range s.file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
				lengths = append(lengths, s.fset.Position(f.End()).Line-s.fset.Position(f.Pos()).Line+1)
			}
		}
	}
	slices.Sort(lengths)
	if p99 := lengths[len(lengths)*99/100]; p99 > longestP99 {
		t.Errorf("one function in a hundred is longer than %d lines; the budget is %d", p99, longestP99)
	}
}

// TestNoFoldersImportEachOther: what depends on each other belongs together,
// or one of the two holds something that belongs to a third.
func TestNoFoldersImportEachOther(t *testing.T) {
	points := map[[2]string]string{}
	for _, p := range packages(t) {
		from := topOf(folderOf(p.ImportPath))
		for _, imported := range p.Imports {
			if to := topOf(folderOf(imported)); strings.HasPrefix(imported, module) && from != to {
				points[[2]string{from, to}] = p.ImportPath + " imports " + imported
			}
		}
	}
	for pair, why := range points {
		back, both := points[[2]string{pair[1], pair[0]}]
		if both && pair[0] < pair[1] && !slices.Contains(knownPairs, pair) {
			t.Errorf("%s and %s import each other: %s, and %s", pair[0], pair[1], why, back)
		}
	}
	for _, pair := range knownPairs {
		if points[pair] == "" || points[[2]string{pair[1], pair[0]}] == "" {
			t.Errorf("%v do not import each other any more: take the row out of knownPairs", pair)
		}
	}
}

// knownPairs import each other, for a reason (docs/decisions/019-actions-and-sources.md).
var knownPairs = [][2]string{{"actions", "sources"}}

// topOf is the first folder of a path.
func topOf(folder string) string {
	top, _, _ := strings.Cut(folder, "/")
	return top
}
