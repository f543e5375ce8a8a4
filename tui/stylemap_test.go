package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// styleMap shows frames with their escapes so that one can review them: below each line of text a letter for the style of each
// cell, "." for the terminal's own and for spaces on which nothing is seen; at the end what each letter stands for, as the escape sequence says it.
func styleMap(lines []string) string {
	letters := map[string]byte{}
	var legend []string
	letterOf := func(sgr string) byte {
		if sgr == "" {
			return '.'
		}
		if letters[sgr] == 0 {
			letters[sgr] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[len(letters)]
			legend = append(legend, fmt.Sprintf("%c  %s", letters[sgr], sgr))
		}
		return letters[sgr]
	}
	var b strings.Builder
	for _, line := range lines {
		var words, styles strings.Builder
		current := ""
		state := byte(0)
		for rest := line; rest != ""; {
			seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
			if width == 0 {
				if strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
					current = together(current, strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b["), "m"))
				} else {
					fmt.Fprintf(&words, "%q", seq)
				}
			} else {
				words.WriteString(seq)
				look := current
				if seq == " " && !seenOnSpace(current) {
					look = ""
				}
				styles.WriteString(strings.Repeat(string(letterOf(look)), width))
			}
			rest, state = rest[n:], next
		}
		drawn := strings.TrimRight(words.String(), " ")
		look := styles.String()
		if strings.Trim(look, ".") == "" && drawn == "" {
			b.WriteString("(empty)\n")
			continue
		}
		fmt.Fprintf(&b, "%s\n%s\n", drawn, strings.TrimRight(look, "."))
	}
	return b.String() + strings.Join(legend, "\n") + "\n"
}

// seenOnSpace says whether a style shows where nothing is written: a background, reverse, underlined.
func seenOnSpace(sgr string) bool {
	for i, p := range strings.Split(sgr, ";") {
		if p == "48" || p == "7" && i < 3 || p == "4" && i < 3 {
			return true
		}
	}
	return false
}

// together is the style in force after one more escape sequence.
func together(current, sgr string) string {
	if sgr == "" || sgr == "0" {
		return ""
	}
	if rest, ok := strings.CutPrefix(sgr, "0;"); ok {
		return rest
	}
	if current == "" {
		return sgr
	}
	return current + ";" + sgr
}
