// Package round is the view of one round taken apart: what each worker reported, was told and holds; why; and the bytes.
//
// It owns whose bytes are shown. It must never know another view.
package round
