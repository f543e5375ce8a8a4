package label

import (
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/ui/cell"
)

// TraceWords are what a trace says in one line: the message of the innermost cause that has one. An exception of ours that
// says nothing but its unit's name again is spared it.
func TraceWords(trace string, u group.Unit) string {
	class, message := RootCause(trace)
	if message == "" {
		return class
	}
	own := ": " + decode.Printable(u.Connector) + "-" + TaskText(u)
	if sentence := strings.Contains(message, " "); !sentence && class != "" {
		return class + ": " + message
	}
	return strings.TrimSuffix(message, own)
}

// RootCause is the innermost cause of a trace that says anything: its class without the package, and its message.
func RootCause(trace string) (class, message string) {
	for i, line := range decode.PrintableLines(strings.TrimSpace(trace)) {
		line = strings.TrimSpace(line)
		caused, found := strings.CutPrefix(line, "Caused by: ")
		if i > 0 && !found {
			continue
		}
		c, m, _ := strings.Cut(caused, ": ")
		if m = strings.TrimSpace(m); m == "" && message != "" || m == "null" {
			continue
		}
		class, message = c[strings.LastIndexByte(c, '.')+1:], m
	}
	return class, message
}

// TraceLine is one line of a trace as it is shown.
type TraceLine struct {
	Text string
	Head bool // an exception, not where it came from
}

// TraceLines wrap a trace at spaces. Where a line came from is set in by two columns, whatever it was set in by; a message
// that does not fit begins on a line of its own. Nothing is lost: a word that is longer than a line goes on in the next.
func TraceLines(trace string, width int) []TraceLine {
	var out []TraceLine
	if strings.TrimSpace(trace) == "" || width < 8 {
		return nil
	}
	for _, line := range decode.PrintableLines(trace) {
		bare := strings.TrimLeft(line, " ")
		head := bare == line
		indent := ""
		if !head {
			indent = "  "
		}
		if class, message, found := strings.Cut(bare, ": "); head && found && cell.Width(bare) > width && !strings.Contains(class, " ") {
			out = append(out, TraceLine{class + ":", true})
			bare, indent = message, "  "
		}
		for n, part := range wrapWhole(bare, width-len(indent)) {
			if n == 1 {
				indent += "  "
			}
			out = append(out, TraceLine{indent + part, head})
		}
	}
	return out
}

// wrapWhole breaks a text at spaces into lines of at most width columns. A word that is longer than a line is broken behind
// a dot or a bracket, and begins behind what stands before it.
func wrapWhole(text string, width int) []string {
	width = max(width-2, 4) // lines that follow are set in
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && cell.Width(line)+1+cell.Width(word) <= width {
			line += " " + word
			continue
		}
		const least = 20 // columns that are worth beginning a long word in
		room := width - cell.Width(line) - 1
		if line != "" && room >= least && (cell.Width(word) > width || len(line) < 4) {
			var first string
			first, word = broken(word, room)
			out = append(out, line+" "+first)
		} else if line != "" {
			out = append(out, line)
		}
		for cell.Width(word) > width {
			var first string
			first, word = broken(word, width)
			out = append(out, first)
		}
		line = word
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// broken takes as much of a word as fits into a width, up to a dot or a bracket if there is one.
func broken(word string, width int) (first, rest string) {
	letters := []rune(word)
	if len(letters) > width {
		letters = letters[:width]
	}
	for len(letters) > 1 && cell.Width(string(letters)) > width {
		letters = letters[:len(letters)-1]
	}
	first = string(letters)
	if len(first) == len(word) {
		return first, ""
	}
	if i := strings.LastIndexByte(first, '('); i > len(first)/3 {
		return word[:i], word[i:]
	}
	if i := strings.LastIndexAny(first, ".$/:"); i > len(first)/2 {
		return word[:i+1], word[i+1:]
	}
	return first, word[len(first):]
}
