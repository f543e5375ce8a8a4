package test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Join is what a worker logged when it had joined a generation. Connect prints what the worker holds after merging, not what
// the round handed to it; revoked and delay are as on the wire.
type Join struct {
	Generation int32
	Error      int
	Leader     string // member id
	LeaderURL  string
	Offset     int64
	Held       []Unit // sorted
	Revoked    []Unit // sorted
	DelayMs    int32
}

// Before 2.3 the line has no generation (it is in the line of the library before it), no revocations and no delay.
var (
	joinLine       = regexp.MustCompile(`Joined group (?:at generation (\d+).* )?and got assignment: Assignment\{(.*)\}`)
	generationLine = regexp.MustCompile(`\[Worker .*\] Successfully joined group with generation (\d+) `)
)

var joinField = regexp.MustCompile(`(\w+)=(?:\[([^\]]*)\]|'([^']*)'|(-?\d+))`)

// ParseJoins finds the joins in a worker's log. A last line without its end is left for the next reading.
func ParseJoins(log io.Reader) ([]Join, error) {
	var out []Join
	in := bufio.NewReader(log)
	generation := ""
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("worker log: %w", err)
		}
		if m := generationLine.FindSubmatch(line); m != nil {
			generation = string(m[1])
		}
		m := joinLine.FindSubmatch(line)
		if m == nil {
			continue
		}
		if m[1] != nil {
			generation = string(m[1])
		}
		j, err := parseJoin(generation, string(m[2]))
		if err != nil {
			return nil, fmt.Errorf("worker log, line %d: %w", n, err)
		}
		out = append(out, j)
	}
}

func parseJoin(generation, assignment string) (Join, error) {
	var j Join
	g, err := strconv.ParseInt(generation, 10, 32)
	if err != nil {
		return j, fmt.Errorf("generation: %w", err)
	}
	j.Generation = int32(g)
	seen := map[string]bool{}
	for _, f := range joinField.FindAllStringSubmatch(assignment, -1) {
		name, list, text, number := f[1], f[2], f[3], f[4]
		seen[name] = true
		n, _ := strconv.ParseInt(number, 10, 64) // the pattern allows digits alone, or nothing
		switch name {
		case "error":
			j.Error = int(n)
		case "leader":
			j.Leader = text
		case "leaderUrl":
			j.LeaderURL = text
		case "offset":
			j.Offset = n
		case "delay":
			j.DelayMs = int32(n)
		case "connectorIds":
			j.Held = append(j.Held, instances(list)...)
		case "revokedConnectorIds":
			j.Revoked = append(j.Revoked, instances(list)...)
		case "taskIds":
			err = appendTasks(&j.Held, list)
		case "revokedTaskIds":
			err = appendTasks(&j.Revoked, list)
		}
		if err != nil {
			return j, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range []string{"error", "leader", "offset", "connectorIds", "taskIds"} {
		if !seen[name] {
			return j, fmt.Errorf("assignment without %s: %s", name, assignment)
		}
	}
	sortUnits(j.Held)
	sortUnits(j.Revoked)
	return j, nil
}

func instances(list string) []Unit {
	var out []Unit
	for name := range strings.SplitSeq(list, ", ") {
		if name != "" {
			out = append(out, Unit{Connector: name, Task: Instance})
		}
	}
	return out
}

// appendTasks reads ids as Connect prints them, name-number. The printed form is ambiguous in general; the rig's own
// connectors have names that it can be read back from.
func appendTasks(units *[]Unit, list string) error {
	for id := range strings.SplitSeq(list, ", ") {
		if id == "" {
			continue
		}
		i := strings.LastIndexByte(id, '-')
		if i < 1 {
			return fmt.Errorf("task id %q", id)
		}
		n, err := strconv.ParseInt(id[i+1:], 10, 32)
		if err != nil {
			return fmt.Errorf("task id %q: %w", id, err)
		}
		*units = append(*units, Unit{Connector: id[:i], Task: int32(n)})
	}
	return nil
}
