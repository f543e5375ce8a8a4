package report

import (
	"fmt"
	"strings"

	"regroup/tui/ui/theme"
)

// inks are the classes of the picture, each with the token whose colour it has. A picture that goes where the reader's
// settings are known takes both palettes along.
var inks = []struct {
	class string
	token theme.Token
}{
	{"text", theme.Text},
	{"strong", theme.Strong},
	{"muted", theme.Muted},
	{"faint", theme.Faint},
	{"running", theme.Running},
	{"started", theme.Started},
	{"stopped", theme.Stopped},
	{"delayed", theme.Delayed},
	{"wrong", theme.Wrong},
	{"past", theme.Past},
}

// variables are the colours as CSS variables.
func variables(kind theme.Kind) string {
	var b strings.Builder
	for _, i := range inks {
		fmt.Fprintf(&b, "--%s:%s;", i.class, theme.Hex(kind, i.token))
	}
	fmt.Fprintf(&b, "--page:%s;--band:%s;", theme.HexGround(kind, theme.Page), theme.HexGround(kind, theme.Select2))
	return b.String()
}

// colours sets the variables on a selector; auto follows the reader's own setting.
func colours(selector string, kind theme.Kind) string {
	switch kind {
	case theme.Dark, theme.Light:
		return selector + "{" + variables(kind) + "}\n"
	}
	return selector + "{" + variables(theme.Light) + "}\n@media(prefers-color-scheme:dark){" + selector + "{" + variables(theme.Dark) + "}}\n"
}

// resolved is a style sheet with the colours in place of the variables: many programs that draw pictures know no variables.
func resolved(style string, kind theme.Kind) string {
	if kind != theme.Dark && kind != theme.Light {
		return resolved(style, theme.Light) + "@media(prefers-color-scheme:dark){" + resolved(style, theme.Dark) + "}\n"
	}
	pairs := []string{"var(--page)", theme.HexGround(kind, theme.Page)}
	for _, i := range inks {
		pairs = append(pairs, "var(--"+i.class+")", theme.Hex(kind, i.token))
	}
	return strings.NewReplacer(pairs...).Replace(style)
}

// pictureStyle is the style sheet of a timeline.
const pictureStyle = `.rg{font:12px ui-monospace,"JetBrains Mono","DejaVu Sans Mono",Menlo,Consolas,monospace}
.rg text{fill:var(--text);white-space:pre}
.rg .muted{fill:var(--muted)}.rg .strong{fill:var(--strong);font-weight:bold}
.rg .tstarted{fill:var(--started)}.rg .tstopped{fill:var(--stopped)}.rg .tdelayed{fill:var(--delayed)}.rg .twrong{fill:var(--wrong)}
.rg .page{fill:var(--page)}.rg .tick{stroke:var(--faint)}.rg .mark{stroke:var(--muted);stroke-dasharray:2 4;opacity:.6}
.rg .runs{fill:var(--running)}.rg .starts{fill:none;stroke:var(--started);stroke-width:2;stroke-dasharray:1 3}
.rg .down{fill:none;stroke:var(--stopped);stroke-width:2;stroke-dasharray:1 4}.rg .stop{fill:var(--stopped)}
.rg .wait{fill:url(#hatch);stroke:var(--delayed);stroke-width:.5}.rg .twice{fill:none;stroke:var(--wrong);stroke-width:1.5}
.rg .failed{fill:none;stroke:var(--wrong);stroke-width:2;stroke-dasharray:4 3}.rg .paused{fill:none;stroke:var(--muted)}
.rg .hatch{stroke:var(--delayed);stroke-width:1.5}.rg .dead{fill:var(--stopped)}.rg .bad{fill:var(--wrong)}.rg .idle{fill:var(--faint)}
`
