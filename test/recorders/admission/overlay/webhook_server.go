package testing

// Records what the tests' webhooks answer, by path. record.sh passes the handlers of upstream's test server to recorded.

import (
	"bufio"
	"bytes"
	"net"
	"net/http"

	"k8s.io/apiserver/pkg/admission/recording"
)

type recordingWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *recordingWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *recordingWriter) Write(part []byte) (int, error) {
	w.body.Write(part)
	return w.ResponseWriter.Write(part)
}

func (w *recordingWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.status = 0
	return w.ResponseWriter.(http.Hijacker).Hijack()
}

func recorded(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		recorder := &recordingWriter{ResponseWriter: w, status: http.StatusOK}
		handler(recorder, r)
		if recorder.status == http.StatusOK {
			recording.Line("webhook-answers", map[string]any{"path": r.URL.Path, "body": recorder.body.String()})
		}
	}
}
