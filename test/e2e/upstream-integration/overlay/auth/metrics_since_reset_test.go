package auth

import (
	"strconv"
	"strings"
)

// A test sets the metrics of its own process to zero between its parts. Those of the server under test go on counting: what
// counts is the difference to the values that were last read before.
var atReset, lastRead = map[string]int{}, map[string]int{}

// metricsReset is called where the test sets its metrics to zero.
func metricsReset() {
	for name, value := range lastRead {
		atReset[name] = value
	}
}

// sinceReset is a line of /metrics with the count since then; empty where nothing was counted.
func sinceReset(line string) string {
	name, text, _ := strings.Cut(line, "} ")
	value, err := strconv.Atoi(text)
	if err != nil || !strings.HasPrefix(name, "apiserver_authorization_") || strings.Contains(name, "_config_controller_") {
		return line
	}
	lastRead[name] = value
	if value == atReset[name] {
		return ""
	}
	return name + "} " + strconv.Itoa(value-atReset[name])
}
