package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/kms/pkg/service"
)

// answer is what a plugin answers to Status and Encrypt at a time.
type answer struct {
	Version     string            `json:"version"`
	Healthz     string            `json:"healthz"`
	KeyID       string            `json:"keyId"`
	StatusError string            `json:"statusError,omitempty"`
	Ciphertext  []byte            `json:"ciphertext"`
	EncryptID   string            `json:"encryptId"`
	Annotations map[string][]byte `json:"annotations,omitempty"`
	EncryptErr  string            `json:"encryptError,omitempty"`
}

// statusCase is what the health check says, again within the time for which an answer is good, after each answer.
type statusCase struct {
	Name    string   `json:"name"`
	Answers []answer `json:"answers"`
	Health  []string `json:"health"`
}

type scripted struct {
	lock    sync.Mutex
	present answer
}

func (s *scripted) set(a answer) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.present = a
}

func (s *scripted) get() answer {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.present
}

func (s *scripted) Status(context.Context) (*service.StatusResponse, error) {
	a := s.get()
	if a.StatusError != "" {
		return nil, status.Error(codes.Internal, a.StatusError)
	}
	return &service.StatusResponse{Version: a.Version, Healthz: a.Healthz, KeyID: a.KeyID}, nil
}

func (s *scripted) Encrypt(context.Context, string, []byte) (*service.EncryptResponse, error) {
	a := s.get()
	if a.EncryptErr != "" {
		return nil, status.Error(codes.Internal, a.EncryptErr)
	}
	return &service.EncryptResponse{Ciphertext: a.Ciphertext, KeyID: a.EncryptID, Annotations: a.Annotations}, nil
}

func (s *scripted) Decrypt(context.Context, string, *service.DecryptRequest) ([]byte, error) {
	return nil, status.Error(codes.Internal, "not asked")
}

const configuration = `kind: EncryptionConfiguration
apiVersion: apiserver.config.k8s.io/v1
resources:
- resources: [secrets]
  providers:
  - kms: {apiVersion: v2, name: plugin, endpoint: unix:///@none}
`

var (
	uids  = regexp.MustCompile(`uid="[^"]*"`)
	times = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:]+(Z|[+-]\d\d:\d\d)`)
)

// healthOf says it without what differs each time.
func healthOf(checks *encryptionconfig.EncryptionConfiguration) string {
	request, err := http.NewRequest(http.MethodGet, "/readyz", nil)
	check(err)
	if err := checks.HealthChecks[0].Check(request); err != nil {
		text := strings.TrimPrefix(err.Error(), "kms-provider-0: ")
		text = uids.ReplaceAllString(text, `uid="…"`)
		return times.ReplaceAllStringFunc(text, func(at string) string {
			if strings.HasPrefix(at, "0001") {
				return at
			}
			return "…"
		})
	}
	return ""
}

func statuses() []statusCase {
	ok := answer{Version: "v2", Healthz: "ok", KeyID: "1", Ciphertext: []byte("sealed"), EncryptID: "1"}
	with := func(change func(*answer)) answer {
		changed := ok
		change(&changed)
		return changed
	}
	cases := []statusCase{
		{Name: "healthy", Answers: []answer{ok}},
		{Name: "healthy, older version", Answers: []answer{with(func(a *answer) { a.Version = "v2beta1" })}},
		{Name: "another version", Answers: []answer{with(func(a *answer) { a.Version = "v3" })}},
		{Name: "no version", Answers: []answer{with(func(a *answer) { a.Version = "" })}},
		{Name: "not healthy", Answers: []answer{with(func(a *answer) { a.Healthz = "no key" })}},
		{Name: "not healthy, another version", Answers: []answer{with(func(a *answer) { a.Healthz, a.Version = "", "v1" })}},
		{Name: "no key id", Answers: []answer{with(func(a *answer) { a.KeyID = "" })}},
		{Name: "a key id that is too long", Answers: []answer{with(func(a *answer) { a.KeyID = strings.Repeat("é", 513) })}},
		{Name: "failing", Answers: []answer{with(func(a *answer) { a.StatusError = "no key" })}},
		{Name: "failing to encrypt", Answers: []answer{with(func(a *answer) { a.EncryptErr = "no key" })}},
		{Name: "encrypting by another key", Answers: []answer{with(func(a *answer) { a.EncryptID = "2" })}},
		{Name: "encrypting to nothing", Answers: []answer{with(func(a *answer) { a.Ciphertext = nil })}},
		{Name: "encrypting to too much", Answers: []answer{with(func(a *answer) { a.Ciphertext = make([]byte, 1025) })}},
		{Name: "encrypting without a key id", Answers: []answer{with(func(a *answer) { a.EncryptID = "" })}},
		{Name: "encrypting with a bad annotation", Answers: []answer{with(func(a *answer) { a.Annotations = map[string][]byte{"a": nil} })}},
		{Name: "another version later", Answers: []answer{
			with(func(a *answer) { a.Healthz = "starting" }), with(func(a *answer) { a.Version = "v2beta1" }),
		}},
		{Name: "failing, then well", Answers: []answer{with(func(a *answer) { a.StatusError = "no key" }), ok}},
		{Name: "another key id that does not encrypt", Answers: []answer{
			with(func(a *answer) { a.Healthz = "starting" }),
			with(func(a *answer) { a.KeyID = "2" }),
			with(func(a *answer) { a.KeyID, a.EncryptID = "2", "2" }),
		}},
	}
	folder, err := os.MkdirTemp("", "kms")
	check(err)
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "configuration.yaml")
	check(os.WriteFile(file, []byte(configuration), 0o600))
	for i := range cases {
		one := &cases[i]
		plugin := &scripted{}
		encryptionconfig.EnvelopeKMSv2ServiceFactory = func(context.Context, string, string, time.Duration) (service.Service, error) {
			return plugin, nil
		}
		plugin.set(one.Answers[0])
		ctx, cancel := context.WithCancel(context.Background())
		checks, err := encryptionconfig.LoadEncryptionConfig(ctx, file, false, "server")
		check(err)
		one.Health = []string{healthOf(checks)}
		for _, next := range one.Answers[1:] {
			plugin.set(next)
			time.Sleep(3100 * time.Millisecond)
			healthOf(checks)
			one.Health = append(one.Health, healthOf(checks))
		}
		cancel()
		fmt.Println(one.Name, one.Health)
	}
	return cases
}
