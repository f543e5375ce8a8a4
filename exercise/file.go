package exercise

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// file is a scenario as people write it:
//
//	name: leader-loss
//	about: the leader dies while a delay runs
//	workers: 4
//	delay: 60s
//	steps:
//	- kill: follower
//	- wait: 15s
//	- kill: leader
//	- settle
//
// A step has one verb, whose value is what it is about, and beside it what else it needs: for, tasks, more, eager.
type file struct {
	Name       string    `yaml:"name"`
	About      string    `yaml:"about"`
	Workers    *int      `yaml:"workers"`
	Connectors *int      `yaml:"connectors"`
	Tasks      *int      `yaml:"tasks"`
	Delay      *duration `yaml:"delay"`
	Steps      []step    `yaml:"steps"`
}

type step Step

// details are what can stand beside a verb.
type details struct {
	For   duration          `yaml:"for"`
	Tasks int               `yaml:"tasks"`
	More  int               `yaml:"more"`
	Eager bool              `yaml:"eager"`
	Verbs map[string]string `yaml:",inline"`
}

type duration time.Duration

func (d *duration) UnmarshalYAML(n *yaml.Node) error {
	long, err := time.ParseDuration(n.Value)
	if err != nil {
		return fmt.Errorf("line %d: %q is no time; write 30s or 5m", n.Line, n.Value)
	}
	*d = duration(long)
	return nil
}

func (s *step) UnmarshalYAML(n *yaml.Node) error {
	out, err := readStep(n)
	if err == nil {
		err = out.check()
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", n.Line, err)
	}
	*s = step(out)
	return nil
}

func readStep(n *yaml.Node) (Step, error) {
	if n.Kind == yaml.ScalarNode {
		return Step{Do: Verb(n.Value)}, nil
	}
	var d details
	if err := n.Decode(&d); err != nil {
		return Step{}, err
	}
	if len(d.Verbs) != 1 {
		return Step{}, fmt.Errorf("a step has one verb, this has %d; there are %s", len(d.Verbs), verbs())
	}
	out := Step{For: time.Duration(d.For), Tasks: d.Tasks, More: d.More, Eager: d.Eager}
	for verb, of := range d.Verbs {
		out.Do, out.Of = Verb(verb), of
	}
	if (out.Do == Wait || out.Do == Settle) && out.Of != "" {
		long, err := time.ParseDuration(out.Of)
		if err != nil {
			return Step{}, fmt.Errorf("%s: %q is no time; write 30s or 5m", out.Do, out.Of)
		}
		out.Of, out.For = "", long
	}
	return out, nil
}

// maxSteps bounds a file: who wants more writes two.
const maxSteps = 1000

// Parse reads a scenario file.
func Parse(text []byte) (Exercise, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	var f file
	if err := dec.Decode(&f); err != nil && !errors.Is(err, io.EOF) {
		return Exercise{}, fmt.Errorf("scenario: %s", strings.ReplaceAll(err.Error(), " not found in type exercise.file", " is not known"))
	}
	switch {
	case len(f.Steps) == 0:
		return Exercise{}, errors.New("scenario: it has no steps")
	case len(f.Steps) > maxSteps:
		return Exercise{}, fmt.Errorf("scenario: %d steps, %d at most", len(f.Steps), maxSteps)
	}
	out := Exercise{Name: f.Name, About: f.About, Group: Group{f.Workers, f.Connectors, f.Tasks, (*time.Duration)(f.Delay)}}
	if out.Name == "" {
		out.Name = "scenario"
	}
	for _, s := range f.Steps {
		out.Steps = append(out.Steps, Step(s))
	}
	return out, nil
}
