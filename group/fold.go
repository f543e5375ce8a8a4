package group

import "slices"

// fold makes the next round of a history and moves the ledger on. Its rules are DESIGN.md, section 4, line by line.
func (l *ledger) fold(rec *record) *Round {
	l.identify(rec.members)
	l.own()
	l.grow()
	r := &Round{
		Partition: rec.partition, Offset: rec.offset, Polled: rec.polled, Generation: rec.generation, At: rec.at,
		RecordedAt: rec.recordedAt, Protocol: rec.protocol, Mode: rec.mode, Leader: rec.leader, LeaderURL: rec.leaderURL,
		ConfigOffset: rec.configOffset, Error: rec.err, DelayMs: rec.delayMs, Workers: len(rec.members), Bytes: rec.bytes,
		First: l.prev == nil,
	}
	if r.Empty() {
		r.Mode, r.LeaderURL, r.ConfigOffset = ModeNone, "", -1
	}
	if l.prev != nil && !rec.polled && !l.prev.Polled {
		r.Gap = max(0, int64(rec.generation)-int64(l.prev.Generation)-1)
	}
	change := l.config.between(l.errorFree, r.ConfigOffset, l.everConnector)
	l.left(r, rec)
	p := l.shareOut(r, rec, change)
	l.sumUp(r, rec, p)
	carried := l.eager(r, rec, p, change)
	l.openEpisode(r)
	l.awaits(r, rec, p, change)
	r.Settled = r.Error == 0 && p.revoked == 0 && r.DelayMs == 0 && len(r.awaited) == 0
	l.unowned(r, rec, p)
	causes := l.causes(r, rec, change)
	r.Causes = causes.with(nil)
	if l.noteUnreported(r, rec, p, carried); r.store.unreported != nil {
		r.store.unreported.causes = causes
	}
	l.follow(r, rec)
	r.news = r.headline()
	l.moveOn(r, rec, p)
	return r
}

// parts is what one round makes of every member, in the record's order.
type parts struct {
	each    []memberPart
	revoked int // sum of what is revoked
	twice   int
	dups    []int32 // reported by two or more
}

type memberPart struct {
	memberCounts
	held        []int32
	restarted   []int32
	lost        []int32 // held before and not reported
	undelivered []int32 // just assigned before, and not reported
	moves       []movedUnit
}

// memberCounts are a member's numbers of one round.
type memberCounts struct {
	kept, started, stopped, restarted, dropped, moved int
	carried                                           int
}

// stranded says whether a connector never gets tasks as it is: its instance is on a follower, and the leader has no REST that takes task
// configs (KAFKA-9981), or it may make none and nobody would write so.
func (l *ledger) stranded(rec *record, p *parts, connector int32) bool {
	if !WithoutREST(rec.leaderURL) {
		return false
	}
	if CommitsNoEmptyTasks(rec.leaderURL) {
		return true
	}
	instance := l.tables.unitIDs[connector].instance
	for i := range rec.members {
		if rec.members[i].id != rec.leader && slices.Contains(p.each[i].held, instance) {
			return true
		}
	}
	return false
}

// shareOut decides for each member what it holds, and what of that it kept, started, restarted and lost.
func (l *ledger) shareOut(r *Round, rec *record, change configChange) *parts {
	p := &parts{each: make([]memberPart, len(rec.members))}
	wasEager := l.prev != nil && l.prev.Mode == ModeEager
	downgrade := r.Mode == ModeEager && l.prev != nil && l.prev.Mode == ModeCooperative
	p.dups = l.duplicates(rec)
	for i := range rec.members {
		m, part := &rec.members[i], &p.each[i]
		if m.problem != "" { // unreadable: what it held stands until it can be read again
			m.reported, m.assigned, m.revoked = l.held[m.worker], nil, nil
		}
		part.held = l.heldBy(r, m)
		carried := m.reported
		switch {
		case m.problem != "":
		case wasEager:
			carried = nil
		case downgrade:
			carried = l.held[m.worker]
		}
		part.carried = len(carried)
		l.mark(carried)
		for _, u := range part.held {
			switch {
			case !l.marked(u):
				part.started++
				if l.prev != nil {
					l.give(u, r)
				}
				continue
			case l.prev != nil && change.restarts(l.tables.units[u]):
				part.restarted = append(part.restarted, u)
			default:
				part.kept++
			}
			l.hasStill(u, m.worker)
		}
		part.memberCounts.restarted = len(part.restarted)
		part.stopped = len(m.revoked)
		if wasEager && m.problem == "" {
			part.stopped = len(l.held[m.worker])
		}
		p.revoked += len(m.revoked)
		if r.Mode == ModeCooperative && l.prev != nil && l.prev.Mode == ModeCooperative {
			part.lost, part.undelivered = l.unreportedBy(m)
			part.dropped = len(part.lost)
		}
		if l.prev != nil {
			part.moves = l.movedTo(m.worker, part.held)
			part.moved = len(part.moves)
		}
		if r.Error != 0 {
			part.started, part.stopped, part.memberCounts.restarted, part.moved = 0, 0, 0, 0
			part.moves = nil
			part.kept += len(part.restarted)
			part.restarted = nil
		}
	}
	if downgrade && r.Error == 0 {
		p.twice = l.twice(rec, p)
	}
	return p
}

// heldBy is reported - revoked + assigned; under eager just what is assigned; with an error what was reported.
func (l *ledger) heldBy(r *Round, m *joined) []int32 {
	if r.Error != 0 || m.problem != "" {
		return m.reported
	}
	if r.Mode == ModeEager {
		return m.assigned
	}
	if len(m.assigned) == 0 && len(m.revoked) == 0 {
		return m.reported
	}
	l.mark(m.revoked)
	held := make([]int32, 0, len(m.reported)+len(m.assigned))
	for _, u := range m.reported {
		if !l.marked(u) {
			held = append(held, u)
		}
	}
	l.mark(held)
	for _, u := range m.assigned {
		if !l.marked(u) {
			held = append(held, u)
		}
	}
	return held
}

// unreportedBy is what a worker held after the round before and does not report: what it ran, and what that round had just assigned to
// it.
func (l *ledger) unreportedBy(m *joined) (ran, given []int32) {
	held := l.held[m.worker]
	if len(held) == 0 || m.problem != "" {
		return nil, nil
	}
	l.mark(m.reported)
	missing := false
	for _, u := range held {
		missing = missing || !l.marked(u)
	}
	if !missing {
		return nil, nil
	}
	just := setOf(l.assignedLast[m.worker])
	for _, u := range held {
		switch {
		case l.marked(u):
		case just.has(u):
			given = append(given, u)
		default:
			ran = append(ran, u)
		}
	}
	return ran, given
}

func (l *ledger) movedTo(worker int32, held []int32) []movedUnit {
	var moves []movedUnit
	for _, u := range held {
		if last := l.last[u]; last >= 0 && last != worker && !slices.Contains(l.lasts[u], worker) {
			moves = append(moves, movedUnit{u, last, worker})
		}
	}
	return moves
}

func (l *ledger) sumUp(r *Round, rec *record, p *parts) {
	for i := range p.each {
		c := &p.each[i].memberCounts
		r.Kept += c.kept
		r.Started += c.started
		r.Stopped += c.stopped
		if _, stayed := l.prevMember[rec.members[i].id]; stayed {
			r.StoppedForOthers += c.stopped
		}
		r.Restarted += c.restarted
		r.Dropped += c.dropped
		r.Moved += c.moved
	}
	r.Twice = p.twice
	l.store(r, rec, p)
}

// eager counts what an eager group would have stopped here; carried is that without what members let go of.
func (l *ledger) eager(r *Round, rec *record, p *parts, change configChange) (carried int) {
	for i := range p.each {
		carried += p.each[i].carried
	}
	if r.Mode == ModeEager || l.prev != nil && l.prev.Mode == ModeEager {
		carried = 0
		for i := range rec.members {
			carried += len(l.held[rec.members[i].worker])
		}
	}
	r.EagerWouldStop = carried + r.Dropped
	if l.prev != nil && l.sameMembers(rec) && l.prev.Protocol == r.Protocol && r.Dropped == 0 && !change.rebalances() {
		r.EagerWouldStop = 0
	}
	return carried
}

func (l *ledger) sameMembers(rec *record) bool {
	if l.prevRecord == nil || len(rec.members) != len(l.prevRecord.members) {
		return false
	}
	for i := range rec.members {
		if rec.members[i].id != l.prevRecord.members[i].id {
			return false
		}
	}
	return true
}

// left notes the workers of the round before that are not in this one.
func (l *ledger) left(r *Round, rec *record) {
	if l.prev == nil {
		return
	}
	here := map[int32]bool{}
	for i := range rec.members {
		here[rec.members[i].worker] = true
	}
	names := l.namesOf(l.prevRecord)
	for i := range l.prevRecord.members {
		m := &l.prevRecord.members[i]
		if !here[m.worker] {
			r.Left = append(r.Left, Gone{m.id, m.client, m.url, names[i], m.worker, len(l.held[m.worker])})
			r.leftHeld = append(r.leftHeld, l.held[m.worker])
		}
	}
}

func (l *ledger) namesOf(rec *record) []string {
	infos := make([]memberInfo, len(rec.members))
	for i := range rec.members {
		infos[i] = rec.members[i].memberInfo
	}
	return shortNames(infos)
}

func (l *ledger) openEpisode(r *Round) {
	if l.episode == nil || l.prev.settledBy(r.RecordedAt) {
		l.episode = r
		clear(l.revoked)
	}
	r.Episode, r.EpisodeSeq = l.episode.Generation, l.episode.Seq
}

// moveOn makes this round the round before.
func (l *ledger) moveOn(r *Round, rec *record, p *parts) {
	l.prev, l.prevRecord = r, rec
	if !r.Empty() {
		l.lastProtocol = r.Protocol
	}
	l.prevMember = make(map[string]int32, len(rec.members))
	l.before, l.held = l.held, make(holding, len(rec.members))
	l.assignedLast = map[int32][]int32{}
	l.tick++
	for i := range rec.members {
		m := &rec.members[i]
		l.prevMember[m.id] = l.tables.member(m.memberInfo)
		l.held[m.worker] = p.each[i].held
		l.seen[m.worker] = true
		if len(m.assigned) > 0 && r.Mode == ModeCooperative {
			l.assignedLast[m.worker] = m.assigned
		}
		for _, u := range p.each[i].held {
			if l.marked(u) {
				l.lasts[u] = append(l.lasts[u], l.last[u], m.worker)
			} else {
				delete(l.lasts, u)
			}
			l.stamp[u] = l.tick
			l.last[u] = m.worker
			l.ever[u], l.gone[u] = true, false
		}
	}
	if r.Error == 0 && !r.Empty() {
		l.errorFree = r.ConfigOffset
	}
	if r.DelayMs > 0 {
		l.delayEnds = r.RecordedAt.Add(r.delay())
	}
}

// everConnector says whether any unit of a connector was held in the rounds seen.
func (l *ledger) everConnector(connector int32) bool {
	ever := func(u int32) bool { return u >= 0 && int(u) < len(l.ever) && l.ever[u] }
	c := &l.tables.unitIDs[connector]
	return ever(c.instance) || slices.ContainsFunc(c.tasks, ever)
}
