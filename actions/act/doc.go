// Package act has what every action is, whatever it is done to: its words, who does it and puts it on record (the audit
// log), whose consent it needs, the group as it is watched meanwhile, when that has settled, and what else it may be waited
// for to be. It is the ground of the packages that act, and must never know any of them, Connect's REST, a process or an
// exercise.
package act
