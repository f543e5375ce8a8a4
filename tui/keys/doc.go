// Package keys is the one table of what keys do: where each is in force, how footer and help show it, and the keys of a person.
//
// It knows names alone: whether a key works now is asked of the root by the name of a reason. It must never know the model, a State
// or a view.
package keys
