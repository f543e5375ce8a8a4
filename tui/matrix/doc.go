// Package matrix is the view of connectors by workers, as they are and as they will be.
//
// It owns the cell under the cursor and whether the prediction is shown. It must never know another view.
package matrix
