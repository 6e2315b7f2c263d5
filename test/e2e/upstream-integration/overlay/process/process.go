// Package testing stands for the packages of that name in k8s.io/kubernetes and in k8s.io/apiextensions-apiserver, whose tests
// start the server within their own process: here they start another program. This file is in both of them.
package testing

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/component-base/featuregate"
)

// ServerProcess is the server under test. SERVER_COMMAND says how it is started, words parted by blanks; flags are added.
type ServerProcess struct {
	Config *restclient.Config
	Port   int
	dir    string
	cmd    *exec.Cmd
	exited chan struct{}
	mu     sync.Mutex
	output bytes.Buffer
}

const startTimeout = 60 * time.Second

// gateFlags are those that the test has changed in its own process; flags that name gates stay the last word.
func gateFlags() []string {
	gates := utilfeature.DefaultMutableFeatureGate
	known := gates.GetAll()
	var changed []string
	for name, spec := range known {
		if name == "AllAlpha" || name == "AllBeta" || spec.LockToDefault {
			continue
		}
		if enabled := gates.Enabled(name); enabled != spec.Default {
			changed = append(changed, fmt.Sprintf("%s=%v", name, enabled))
		}
	}
	sort.Strings(changed)
	var flags []string
	if emulated := gates.(featuregate.MutableVersionedFeatureGate).EmulationVersion(); emulated != nil {
		if version := fmt.Sprintf("%d.%d", emulated.Major(), emulated.Minor()); version != currentVersion() {
			flags = append(flags, "--emulated-version=kube="+version, "--runtime-config-emulation-forward-compatible")
		}
	}
	if len(changed) > 0 {
		flags = append(flags, "--feature-gates="+strings.Join(changed, ","))
	}
	return flags
}

func currentVersion() string {
	version := basecompatibility.NewEffectiveVersionFromString("1.36", "", "").BinaryVersion()
	return fmt.Sprintf("%d.%d", version.Major(), version.Minor())
}

// ServingFolder is where a server of that folder finds or makes its serving certificate.
func ServingFolder(dir string) string {
	return filepath.Join(dir, "serving")
}

// StartProcess starts the server and waits until it is ready, unless told not to wait. A token file among the flags keeps its
// tokens beside that of the administrator.
func StartProcess(logf func(string, ...any), dir string, flags []string, wait bool) (*ServerProcess, error) {
	command := strings.Fields(os.Getenv("SERVER_COMMAND"))
	if len(command) == 0 {
		return nil, fmt.Errorf("SERVER_COMMAND is not set")
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	token, err := randomToken()
	if err != nil {
		return nil, err
	}
	flags, err = withAdministrator(dir, append(gateFlags(), flags...), token)
	if err != nil {
		return nil, err
	}
	certificates := ServingFolder(dir)
	host := hostOfItsOwn()
	if host != "" {
		command = onHost(host, command)
	}
	if host != "" && hasPeers() {
		peers, err := peerFlags(certificates)
		if err != nil {
			return nil, err
		}
		flags = append(flags, peers...)
	}
	flags = append(flags, "--secure-port="+strconv.Itoa(port), "--cert-dir="+certificates)
	server := &ServerProcess{Port: port, dir: dir, exited: make(chan struct{})}
	server.cmd = exec.Command(command[0], append(command[1:], flags...)...)
	server.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	server.cmd.Stdout, server.cmd.Stderr = server, server
	logf("starting %s", strings.Join(server.cmd.Args, " "))
	if err := server.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = server.cmd.Wait()
		close(server.exited)
	}()
	server.Config = &restclient.Config{
		Host: "https://127.0.0.1:" + strconv.Itoa(port), BearerToken: token, QPS: 1000, Burst: 10000,
		TLSClientConfig: restclient.TLSClientConfig{CAFile: filepath.Join(certificates, "apiserver.crt")},
	}
	if !wait {
		return server, nil
	}
	if err := server.awaitReady(); err != nil {
		server.Stop()
		return nil, fmt.Errorf("%w\n%s", err, server.Output())
	}
	return server, server.readAuthority()
}

// Write keeps what the server prints.
func (s *ServerProcess) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.Write(line)
}

// Output is what the server has printed.
func (s *ServerProcess) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.String()
}

// Stop ends the server as its supervisor would: it may finish what it is doing.
func (s *ServerProcess) Stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(20 * time.Second):
		_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
		<-s.exited
	}
}

func (s *ServerProcess) awaitReady() error {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	last := "no answer"
	for _, path := range []string{"/readyz", "/api/v1/namespaces/default", "/api/v1/namespaces/kube-system"} {
		for {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Config.Host+path, nil)
			if err != nil {
				return err
			}
			request.Header.Set("Authorization", "Bearer "+s.Config.BearerToken)
			answer, err := client.Do(request)
			if err == nil {
				last = answer.Status
				_ = answer.Body.Close()
				if answer.StatusCode == http.StatusOK {
					break
				}
			}
			select {
			case <-s.exited:
				return fmt.Errorf("the server ended while it started")
			case <-ctx.Done():
				return fmt.Errorf("%s of the server: %s", path, last)
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

// readAuthority makes clients independent of the file, which goes with the server.
func (s *ServerProcess) readAuthority() error {
	data, err := os.ReadFile(s.Config.CAFile)
	if err != nil {
		return err
	}
	s.Config.CAFile, s.Config.CAData = "", data
	return nil
}

func withAdministrator(dir string, flags []string, token string) ([]string, error) {
	tokens := fmt.Sprintf("%s,system:apiserver,%s,\"system:masters\"\n", token, token)
	var rest []string
	for index := 0; index < len(flags); index++ {
		flag := flags[index]
		if flag == "--token-auth-file" && index+1 < len(flags) {
			index++
			flag += "=" + flags[index]
		}
		if file, ok := strings.CutPrefix(flag, "--token-auth-file="); ok {
			more, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			tokens += string(more)
			continue
		}
		rest = append(rest, flag)
	}
	file := filepath.Join(dir, "tokens.csv")
	return append(rest, "--token-auth-file="+file), os.WriteFile(file, []byte(tokens), 0o600)
}

func randomToken() (string, error) {
	bytes := make([]byte, 16)
	_, err := rand.Read(bytes)
	return hex.EncodeToString(bytes), err
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}
