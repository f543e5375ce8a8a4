// Package group folds facts about one Connect group into what a person wants to know: rounds, who holds what, why a round
// happened, what it cost, and what is stuck. See DESIGN's words: unit, worker, round, episode, held, released, delayed.
//
// It is pure. Facts come in through Model.Apply, in any interleaving of their sources; a State comes out of Model.State. It
// must never know a Kafka client, a screen, a file, a clock (now is an argument) or a goroutine. A State and everything
// reachable from it is immutable, and may be read by any goroutine while the Model goes on.
package group
