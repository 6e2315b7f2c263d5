package main

import (
	"fmt"
	"mime"
	"net/http"
	"sync"
)

// forms counts the media types of answers, so that a client that falls back to JSON unseen is found out.
type forms struct {
	mutex  sync.Mutex
	counts map[string]int
}

func (f *forms) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := next.RoundTrip(request)
		if err == nil {
			mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
			f.mutex.Lock()
			f.counts[mediaType]++
			f.mutex.Unlock()
		}
		return response, err
	})
}

// check fails unless most answers were in the form that was asked for.
func (f *forms) check(contentType string) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for mediaType, count := range f.counts {
		if count > f.counts[contentType] {
			return fmt.Errorf("%d answers were %s, %d %s", count, mediaType, f.counts[contentType], contentType)
		}
	}
	return nil
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }
