package tui

import (
	"strings"

	"regroup/decode"
	"regroup/group"
	"regroup/tui/cell"
)

// traceWords are what a trace says in one line: the message of the innermost cause that has one. An exception of ours that
// says nothing but its unit's name again is spared it.
func traceWords(trace string, u group.Unit) string {
	class, message := rootCause(trace)
	if message == "" {
		return class
	}
	own := ": " + decode.Printable(u.Connector) + "-" + taskText(u)
	if sentence := strings.Contains(message, " "); !sentence && class != "" {
		return class + ": " + message
	}
	return strings.TrimSuffix(message, own)
}

// rootCause is the innermost cause of a trace that says anything: its class without the package, and its message.
func rootCause(trace string) (class, message string) {
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

// traceLine is one line of a trace as it is shown.
type traceLine struct {
	text string
	head bool // an exception, not where it came from
}

// traceLines wrap a trace at spaces. Where a line came from is set in by two columns, whatever it was set in by; a message
// that does not fit begins on a line of its own. Nothing is lost: a word that is longer than a line goes on in the next.
func traceLines(trace string, width int) []traceLine {
	var out []traceLine
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
			out = append(out, traceLine{class + ":", true})
			bare, indent = message, "  "
		}
		for n, part := range wrapWhole(bare, width-len(indent)) {
			if n > 0 && indent == "" {
				indent = "  "
			}
			out = append(out, traceLine{indent + part, head})
		}
	}
	return out
}

// wrapWhole breaks a text at spaces into lines of at most width columns, and a word that is longer anywhere.
func wrapWhole(text string, width int) []string {
	width = max(width-2, 4) // lines that follow are set in
	var out []string
	line := ""
	flush := func() {
		if line != "" {
			out, line = append(out, line), ""
		}
	}
	for _, word := range strings.Fields(text) {
		if line != "" && cell.Width(line)+1+cell.Width(word) <= width {
			line += " " + word
			continue
		}
		flush()
		parts := broken(word, width)
		out, line = append(out, parts[:len(parts)-1]...), parts[len(parts)-1]
	}
	flush()
	return out
}

// broken is a word in pieces of at most width columns.
func broken(word string, width int) []string {
	if cell.Width(word) <= width {
		return []string{word}
	}
	var out []string
	for letters := []rune(word); len(letters) > 0; {
		n := min(width, len(letters))
		for n > 1 && cell.Width(string(letters[:n])) > width {
			n--
		}
		out, letters = append(out, string(letters[:n])), letters[n:]
	}
	return out
}
