package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every package says what it knows, in a package comment: the first thing that a newcomer reads.
func TestEveryPackageHasAComment(t *testing.T) {
	type pkg struct{ files, comments int }
	packages := map[string]pkg{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		p := packages[filepath.Dir(path)]
		p.files++
		if saysSomething(file, path) {
			p.comments++
		}
		packages[filepath.Dir(path)] = p
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages["decode"].files == 0 {
		t.Fatal("package decode was not found: this test looks in the wrong place")
	}
	for dir, p := range packages {
		if p.comments != 1 {
			t.Errorf("%s: %d of %d files have a package comment, want one", dir, p.comments, p.files)
		}
	}
}

// The map of files is only worth something while it is true: what it names exists, and it leaves no package out.
func TestFileMapIsTrue(t *testing.T) {
	text, err := os.ReadFile("docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z]+(?:/[a-z_]+)*/(?:[a-z_]+\\.go)?)`").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("docs/ARCHITECTURE.md names %s: %v", m[1], err)
		}
		named[filepath.Dir(m[1])] = true // of a folder too: Dir takes its slash off
	}
	var files []string
	for _, pattern := range []string{"*/*.go", "*/*/*.go", "*/*/*/*.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		// A folder's line may speak for those in it.
		if dir := filepath.Dir(file); !named[dir] && !named[filepath.Dir(dir)] {
			t.Errorf("docs/ARCHITECTURE.md does not name %s", dir)
			named[dir] = true
		}
	}
}

func saysSomething(file *ast.File, path string) bool {
	text := file.Doc.Text()
	if file.Name.Name == "main" {
		name := filepath.Base(filepath.Dir(path))
		if name == "." {
			name = "regroup"
		}
		return strings.HasPrefix(text, name+" ") // a command's comment begins with its name
	}
	return strings.HasPrefix(text, "Package "+file.Name.Name+" ")
}
