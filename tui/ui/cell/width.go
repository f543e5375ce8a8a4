package cell

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"regroup/decode"
)

// plain says whether every byte of s is printable ASCII: then bytes are columns.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

const unreadable = "\uFFFD"

// clusters calls f for each thing that is drawn of s, with the columns it takes (1 or 2), until f says false. Terminals differ
// on how wide a cluster of several runes is (some add up its runes, some do not). What they agree on is drawn whole; of the
// rest the first rune alone is. What has no width on its own is drawn as U+FFFD, so that no two names look the same.
func clusters(s string, f func(text string, width int) bool) {
	g := displaywidth.StringGraphemes(decode.Printable(s))
	for g.Next() {
		text, width := agreed(g.Value(), g.Width())
		if !f(text, width) {
			return
		}
	}
}

// maxRunes bounds how many marks are stacked on one letter.
const maxRunes = 4

func agreed(text string, width int) (string, int) {
	first, size := utf8.DecodeRuneInString(text)
	if size == len(text) {
		if width == 1 || width == 2 && displaywidth.Rune(first) == 2 {
			return text, width
		}
		return unreadable, 1
	}
	sum, runes := 0, 0
	for _, r := range text {
		sum += displaywidth.Rune(r)
		runes++
	}
	joined := strings.ContainsAny(text, "\u200D\uFE0F\uFE0E")
	if sum == width && (width == 1 || width == 2) && runes <= maxRunes && !joined {
		return text, width
	}
	if w := displaywidth.Rune(first); w == 1 || w == 2 {
		return text[:size], w
	}
	return unreadable, 1
}

// Width is how many columns s takes when it is drawn.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	w := 0
	clusters(s, func(_ string, n int) bool { w += n; return true })
	return w
}

// End cuts a sentence to w columns: it loses its end.
func End(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	return head(s, w-1) + "…"
}

// Middle cuts a name to w columns: it loses its middle and keeps its last eight columns, where names that are alike differ.
func Middle(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := Width(s)
	if n <= w {
		return s
	}
	keep := min(8, (w-1)/2)
	return head(s, w-1-keep) + "…" + tail(s, n, keep)
}

// head is what fits into w columns from the beginning.
func head(s string, w int) string {
	if plain(s) {
		return s[:min(w, len(s))]
	}
	var b strings.Builder
	clusters(s, func(text string, n int) bool {
		if n > w {
			return false
		}
		w -= n
		b.WriteString(text)
		return true
	})
	return b.String()
}

// tail is what fits into w columns at the end; total is the width of s.
func tail(s string, total, w int) string {
	if plain(s) {
		return s[len(s)-w:]
	}
	var b strings.Builder
	skip := total - w
	clusters(s, func(text string, n int) bool {
		if skip > 0 {
			skip -= n
			return true
		}
		b.WriteString(text)
		return true
	})
	return b.String()
}

// Wrap breaks a sentence at spaces into lines of at most w columns. A word that is longer is cut.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	var out []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		word = End(word, w)
		n := Width(word)
		if used > 0 && used+1+n > w {
			out = append(out, line)
			line, used = "", 0
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += n
	}
	if used > 0 {
		out = append(out, line)
	}
	return out
}
