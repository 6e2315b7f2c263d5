// Package recording writes down, as JSON lines in $RECORDING, what upstream's tests ask and what they are answered. The
// record.sh of a recorder adds it, with what it records besides (overlay/recording.go), to a copy of k8s.io/apiserver.
package recording

import (
	"encoding/json"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

var lock sync.Mutex

// Line adds a line to a table.
func Line(table string, line map[string]any) {
	line["table"] = table
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	lock.Lock()
	defer lock.Unlock()
	out, err := os.OpenFile(os.Getenv("RECORDING"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer out.Close()
	if _, err := out.Write(append(text, '\n')); err != nil {
		panic(err)
	}
}

// Texts are the texts of errors of fields.
func Texts(errors field.ErrorList) []string {
	texts := []string{}
	for _, err := range errors {
		texts = append(texts, err.Error())
	}
	return texts
}
