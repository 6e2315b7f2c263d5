// Package framework stands for the start of servers in the package of that name in k8s.io/kubernetes/test/integration.
package framework

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"k8s.io/apiserver/pkg/storage/storagebackend"
	client "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	servertesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	"k8s.io/kubernetes/pkg/controlplane"
)

type TestServerSetup struct {
	ModifyServerRunOptions func(*options.ServerRunOptions)
	ModifyServerConfig     func(*controlplane.Config)
}

type TearDownFunc func()

// StartTestServer starts the server under test with the options that the test wants, as flags.
func StartTestServer(_ context.Context, t testing.TB, setup TestServerSetup) (client.Interface, *rest.Config, TearDownFunc) {
	t.Helper()
	dir, err := os.MkdirTemp("", "upstream-integration")
	if err != nil {
		t.Fatal(err)
	}
	storage := storagebackend.NewDefaultConfig(path.Join("/", uuid.New().String(), "registry"), nil)
	storage.Transport.ServerList = []string{GetEtcdURL()}
	flags, err := servertesting.StandardFlags(dir, servertesting.NewDefaultTestServerOptions(), storage)
	if err != nil {
		t.Fatal(err)
	}
	// Tests look there for the keys and certificates, and put their own beside them.
	certificates := servertesting.ServingFolder(dir)
	if err := os.MkdirAll(certificates, 0o700); err != nil {
		t.Fatal(err)
	}
	opts := options.NewServerRunOptions()
	if err := servertesting.ReadFlags(opts, append(flags, "--cert-dir="+certificates)); err != nil {
		t.Fatal(err)
	}
	changed := servertesting.FlagsAfter(opts, func() {
		opts.ServiceClusterIPRanges = "10.0.0.0/24"
		opts.Authentication.APIAudiences = []string{"https://foo.bar.example.com"}
		opts.Authorization.Modes = []string{"Node", "RBAC"}
		if setup.ModifyServerRunOptions != nil {
			setup.ModifyServerRunOptions(opts)
		}
	})
	if setup.ModifyServerConfig != nil {
		more, err := flagsOfConfig(setup.ModifyServerConfig)
		if err != nil {
			t.Fatal(err)
		}
		changed = append(changed, more...)
	}
	all := append(flags, changed...)
	if opts.ServiceAccountSigningEndpoint != "" {
		// An external signer excludes files of keys, and a later flag empties no list.
		all = slices.DeleteFunc(all, func(flag string) bool {
			return strings.HasPrefix(flag, "--service-account-key-file=") || strings.HasPrefix(flag, "--service-account-signing-key-file=")
		})
	}
	server, err := servertesting.StartProcess(t.Logf, dir, all, true)
	if err != nil {
		t.Fatal(err)
	}
	made, err := client.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	return made, server.Config, func() {
		server.Stop()
		if t.Failed() {
			t.Logf("output of the server:\n%s", server.Output())
		}
		_ = os.RemoveAll(dir)
	}
}
