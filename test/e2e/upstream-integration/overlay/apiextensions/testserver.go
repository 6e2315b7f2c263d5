package testing

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/compatibility"
	restclient "k8s.io/client-go/rest"
)

type TearDownFunc func()

type TestServerInstanceOptions struct{}

type TestServer struct {
	ClientConfig    *restclient.Config
	ServerOpts      *options.CustomResourceDefinitionsServerOptions
	TearDownFn      TearDownFunc
	TmpDir          string
	CompletedConfig apiserver.CompletedConfig
}

type Logger interface {
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
}

// Flags of a server that asks another who somebody is and what they may do, and of what this server does not have.
var notOfWholeServer = []string{
	"authentication-kubeconfig", "authentication-skip-lookup", "authorization-kubeconfig", "kubeconfig", "enable-priority-and-fairness",
}

func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{}
}

func StartTestServerOrDie(t Logger, instanceOptions *TestServerInstanceOptions, flags []string, storageConfig *storagebackend.Config) *TestServer {
	result, err := StartTestServer(t, instanceOptions, flags, storageConfig)
	if err != nil {
		t.Fatalf("the server did not start: %v", err)
	}
	return &result
}

// StartTestServer starts the whole server, where upstream starts the part that serves custom resources.
func StartTestServer(t Logger, _ *TestServerInstanceOptions, customFlags []string, storageConfig *storagebackend.Config) (TestServer, error) {
	dir, err := os.MkdirTemp("", "upstream-integration")
	if err != nil {
		return TestServer{}, err
	}
	opts := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	if storageConfig != nil {
		opts.RecommendedOptions.Etcd.StorageConfig = *storageConfig
	}
	flags := []string{"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--data-dir=" + filepath.Join(dir, "data"), "--runtime-config=api/all=true"}
	known := pflag.NewFlagSet("test", pflag.ContinueOnError)
	opts.AddFlags(known)
	err = known.ParseAll(customFlags, func(flag *pflag.Flag, value string) error {
		if !slices.Contains(notOfWholeServer, flag.Name) {
			flags = append(flags, "--"+flag.Name+"="+value)
		}
		return known.Set(flag.Name, value)
	})
	if err != nil {
		return TestServer{}, err
	}
	completed, err := storageOnly(opts)
	if err != nil {
		return TestServer{}, err
	}
	server, err := StartProcess(t.Logf, dir, flags, true)
	if err != nil {
		return TestServer{}, err
	}
	// Tests that ask until their time is over may not be told by their own client that it would be.
	server.Config.QPS = -1
	return TestServer{
		ClientConfig: server.Config, ServerOpts: opts, TmpDir: dir, CompletedConfig: completed,
		TearDownFn: func() {
			server.Stop()
			if test, ok := t.(interface{ Failed() bool }); ok && test.Failed() {
				t.Logf("output of the server:\n%s", server.Output())
			}
			_ = os.RemoveAll(dir)
		},
	}, nil
}

// storageOnly tells tests where the objects are stored, and nothing else.
func storageOnly(opts *options.CustomResourceDefinitionsServerOptions) (apiserver.CompletedConfig, error) {
	generic := genericapiserver.NewRecommendedConfig(apiserver.Codecs)
	// What it cannot be completed without.
	generic.ExternalAddress, generic.EffectiveVersion = "127.0.0.1:443", compatibility.DefaultBuildEffectiveVersion()
	if err := opts.RecommendedOptions.Etcd.ApplyTo(&generic.Config); err != nil {
		return apiserver.CompletedConfig{}, err
	}
	return (&apiserver.Config{GenericConfig: generic}).Complete(), nil
}
