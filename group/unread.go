package group

import (
	"fmt"
	"slices"

	"regroup/decode"
)

// unread is what of a source could not be read.
type unread struct {
	n      int
	offset int64  // of the first of them
	why    string // of the first of them
}

// noteUnread notes a record that could not be read: what was folded is without it, and its source says so.
func (m *Model) noteUnread(s Source, offset int64, err error) {
	if m.unread == nil {
		m.unread = map[Source]unread{}
	}
	u := m.unread[s]
	if u.n++; u.n == 1 || offset < u.offset {
		u.offset, u.why = offset, err.Error()
	}
	m.unread[s] = u
}

// toldSources are the sources with what could not be read of each.
func (m *Model) toldSources() []SourceState {
	elsewhere := m.elsewhere()
	if len(m.unread) == 0 && elsewhere == "" {
		return m.sources
	}
	out := slices.Clone(m.sources)
	for i := range out {
		if s := &out[i]; s.Source == SourceStatus && elsewhere != "" {
			s.Health = HealthMissing
			s.Detail = fmt.Sprintf("%s holds statuses of %s alone: name the status topic of group %s with --status-topic", s.Name, elsewhere, m.opt.Group)
		}
	}
	for i := range out {
		u, ok := m.unread[out[i].Source]
		if !ok {
			continue
		}
		text := fmt.Sprintf("1 record could not be read, offset %d: %s", u.offset, u.why)
		if u.n > 1 {
			text = fmt.Sprintf("%d records could not be read, the first at offset %d: %s", u.n, u.offset, u.why)
		}
		if out[i].Detail != "" {
			text = out[i].Detail + "; " + text
		}
		out[i].Detail, out[i].Unread = decode.Printable(text), u.n
	}
	return out
}
