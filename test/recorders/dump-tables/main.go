// Aligns random cells as the reference's pages about flow control do: by text/tabwriter, with a comma at the end of
// each cell but the last (apiserver/pkg/util/flowcontrol/apf_controller_debug.go).
//
//	cd test/recorders && go run ./dump-tables > ../../shared/flowcontrol/pages/testdata/tables.json
package main

import (
	"encoding/json"
	"io"
	"math/rand"
	"os"
	"strings"
	"text/tabwriter"
)

// Table is what is written and what comes out.
type Table struct {
	Rows [][]string `json:"rows"`
	Text string     `json:"text"`
}

var letters = []rune("abcdefghij-./: äß世界😀")

func randomCell(random *rand.Rand) string {
	cell := make([]rune, random.Intn(14))
	for i := range cell {
		cell[i] = letters[random.Intn(len(letters))]
	}
	return string(cell)
}

func main() {
	random := rand.New(rand.NewSource(1))
	tables := []Table{}
	for range 60 {
		columns := 1 + random.Intn(5)
		table := Table{Rows: [][]string{}}
		var text strings.Builder
		writer := tabwriter.NewWriter(&text, 8, 0, 1, ' ', 0)
		for range 1 + random.Intn(5) {
			row := []string{}
			for range columns {
				row = append(row, randomCell(random))
			}
			table.Rows = append(table.Rows, row)
			io.WriteString(writer, strings.Join(row, ",\t")+"\n")
		}
		writer.Flush()
		table.Text = text.String()
		tables = append(tables, table)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	encoder.Encode(tables)
}
