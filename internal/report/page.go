package report

import "html/template"

const pageStyle = `*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1240px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:20px;margin:0 0 12px;color:var(--strong)}h2{font-size:16px;margin:36px 0 8px;color:var(--strong);border-bottom:1px solid var(--faint);padding-bottom:4px}
.m{color:var(--muted)}.n{text-align:right;font-variant-numeric:tabular-nums}.z{color:var(--faint)}
.chip{display:inline-block;padding:1px 10px;border-radius:3px;color:var(--page);font-weight:700;margin-right:10px}
.chip.running{background:var(--running)}.chip.delayed{background:var(--delayed)}.chip.stopped{background:var(--stopped)}.chip.wrong{background:var(--wrong)}
.pic{overflow-x:auto}.pic svg{max-width:100%;min-width:60rem;height:auto}
table{border-collapse:collapse;width:100%;font:12.5px/1.45 ui-monospace,"JetBrains Mono","DejaVu Sans Mono",Menlo,Consolas,monospace}
th{text-align:left;color:var(--muted);font-weight:400;padding:2px 8px}th.n{text-align:right}td{padding:2px 8px;vertical-align:middle}
tbody+tbody{border-top:1px solid var(--faint)}
.story td{color:var(--muted);font-family:system-ui,-apple-system,"Segoe UI",sans-serif;padding-bottom:8px}
.bar{display:flex;width:160px;height:10px}.bar span{height:10px;min-width:2px}
.bar .running{background:var(--running)}.bar .started{background:var(--started)}.bar .stopped{background:var(--stopped)}
.bar .restarted{background:repeating-linear-gradient(90deg,var(--stopped) 0 3px,transparent 3px 5px)}
.bar .delayed,.bar .wrong,.bar .lost{border:1px solid var(--delayed)}.bar .wrong,.bar .lost{border-color:var(--wrong)}
.bar .delayed{background:repeating-linear-gradient(45deg,var(--delayed) 0 2px,transparent 2px 5px)}
.bar .wrong,.bar .lost{background:repeating-linear-gradient(-45deg,var(--wrong) 0 3px,transparent 3px 5px)}
.bad{color:var(--wrong);font-weight:700}
.f{margin:0 0 18px}.f.folded{margin-left:24px}.f h3{font-size:14px;margin:0;color:var(--strong)}.f .critical{color:var(--wrong);font-weight:700}
.f .warning{color:var(--delayed);font-weight:700}.f ul,.f ol{margin:4px 0;padding-left:22px}.f p{margin:4px 0;max-width:80ch}
@media print{body{font-size:11px}.pic svg{min-width:0}table{font-size:8px}.bar{width:70px}}
`

var pageTemplate = template.Must(template.New("report").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{.Group}}: {{.Word}}, {{.Now}}</title>
<style>{{.Style}}</style>
</head>
<body><main>
<h1>{{.Group}}</h1>
<p><span class="chip {{.Class}}">{{.Word}}</span>{{.Sentence}}</p>
<p class="m">{{.Facts}}<br>{{.Now}}; history from {{.From}}</p>
<h2>Timeline</h2>
<div class="pic">{{.Picture}}</div>
{{- if or .Findings .Verdict}}
<h2>Findings</h2>
{{- range .Findings}}
<div class="f{{if .Folded}} folded{{end}}">
<h3><span class="{{.Severity}}">{{.Severity}}</span> {{.Title}} <span class="m">{{.ID}}</span></h3>
<p class="m">{{.Certainty}}{{if .Since}}, since {{.Since}}{{end}}</p>
{{- if .Why}}<p>{{.Why}}</p>{{end}}
{{- if .Evidence}}<ul class="m">{{range .Evidence}}<li>{{.}}</li>{{end}}</ul>{{end}}
{{- if .Sure}}<p class="m">To be sure: {{.Sure}}</p>{{end}}
{{- if .Next}}<ol>{{range .Next}}<li>{{.}}</li>{{end}}</ol>{{end}}
</div>
{{- else}}<p>{{if eq .Verdict "healthy"}}Nothing is wrong.{{else}}Nothing was found; not everything could be looked at.{{end}}</p>
{{- end}}
{{- if .Blanks}}<p class="m">What could not be looked at:</p><ul class="m">{{range .Blanks}}<li>{{.}}</li>{{end}}</ul>{{end}}
{{- end}}
<h2>Rounds</h2>
{{- if .Total}}<p>{{.Total}} <span class="m">unit-seconds of work did not run. Newest episode first; under its rounds stands its story.</span></p>{{end}}
<table>
<thead><tr><th class="n">gen</th><th>time</th><th>why</th><th>units</th><th class="n">kept</th><th class="n">started</th><th class="n">stopped</th><th class="n">restarted</th><th class="n">dropped</th><th class="n">wait</th><th class="n">moved</th><th class="n">eager</th><th class="n">unit-s</th></tr></thead>
{{- range .Episodes}}
<tbody>
{{- range .Rounds}}
<tr><td class="n">{{.Number}}{{if .Bad}}<span class="bad">!</span>{{end}}</td><td class="m">{{.At}}</td><td>{{.Why}}{{if .Lost}} <span class="bad">{{.Lost}} in nobody's hands</span>{{end}}</td><td><div class="bar">{{range .Bar}}<span class="{{.Class}}" style="width:{{.Width}}%" title="{{.Title}}"></span>{{end}}</div></td>
<td class="n{{if not .Kept}} z{{end}}">{{.Kept}}</td><td class="n{{if not .Started}} z{{end}}">{{.Started}}</td><td class="n{{if not .Stopped}} z{{end}}">{{.Stopped}}</td><td class="n{{if not .Restarted}} z{{end}}">{{.Restarted}}</td><td class="n{{if not .Dropped}} z{{end}}">{{.Dropped}}</td><td class="n{{if not .Waiting}} z{{end}}">{{.Waiting}}</td><td class="n{{if not .Moved}} z{{end}}">{{.Moved}}</td><td class="n m">{{.Eager}}</td><td class="n">{{.Cost}}</td></tr>
{{- end}}
{{- if .Story}}<tr class="story"><td></td><td colspan="12">{{.Story}}</td></tr>{{end}}
</tbody>
{{- end}}
</table>
<h2>Sources</h2>
<ul class="m">{{range .Sources}}<li>{{.}}</li>{{else}}<li>none reported</li>{{end}}</ul>
<p class="m">Made by regroup{{if .Version}} {{.Version}}{{end}}. A unit is a connector or one of its tasks; unit-s is units times seconds that they did not run; eager is how many an eager round would have stopped.</p>
</main></body>
</html>
`))
