package testing

import (
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/storageversion"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/util/cert"
	"k8s.io/component-base/tracing"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	testutil "k8s.io/kubernetes/test/utils"
	"k8s.io/kubernetes/test/utils/ktesting"
)

type TearDownFunc func()

type TestServerInstanceOptions struct {
	SkipHealthzCheck       bool
	EnableCertAuth         bool
	StorageVersionWrapFunc func(storageversion.Manager) storageversion.Manager
	ProxyCA                *ProxyCA
	BinaryVersion          string
	RequestTimeout         time.Duration
}

type TestServer struct {
	ClientConfig      *restclient.Config
	ServerOpts        *options.ServerRunOptions
	TearDownFn        TearDownFunc
	TmpDir            string
	EtcdClient        *clientv3.Client
	EtcdStoragePrefix string
}

type Logger interface {
	Helper()
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
	Cleanup(func())
}

type ProxyCA struct {
	ProxySigningCert *x509.Certificate
	ProxySigningKey  *rsa.PrivateKey
}

func NewDefaultTestServerOptions() *TestServerInstanceOptions {
	return &TestServerInstanceOptions{EnableCertAuth: true}
}

func StartTestServerOrDie(t testing.TB, instanceOptions *TestServerInstanceOptions, flags []string, storageConfig *storagebackend.Config) *TestServer {
	t.Helper()
	result, err := StartTestServer(t, instanceOptions, flags, storageConfig)
	if err != nil {
		t.Fatalf("the server did not start: %v", err)
	}
	return &result
}

// StartTestServer starts the server with the settings that the tests count on: an authority for clients and one for front
// proxies, a signing key and an issuer for service accounts, a range of addresses, and what the test asks for.
func StartTestServer(t ktesting.TB, instanceOptions *TestServerInstanceOptions, customFlags []string, storageConfig *storagebackend.Config) (TestServer, error) {
	if instanceOptions == nil {
		instanceOptions = NewDefaultTestServerOptions()
	}
	if instanceOptions.StorageVersionWrapFunc != nil || instanceOptions.BinaryVersion != "" {
		t.Fatalf("this changes the inside of the reference: not for a server in a process of its own")
	}
	dir, err := os.MkdirTemp("", "upstream-integration")
	if err != nil {
		return TestServer{}, err
	}
	opts := options.NewServerRunOptions()
	all := pflag.NewFlagSet("test", pflag.ContinueOnError)
	for _, set := range opts.Flags().FlagSets {
		all.AddFlagSet(set)
	}
	flags, err := StandardFlags(dir, instanceOptions, storageConfig)
	if err != nil {
		return TestServer{}, err
	}
	if !slices.ContainsFunc(customFlags, isAuthorization) {
		flags = append(flags, "--authorization-mode=AlwaysAllow")
	}
	if err := all.Parse(customFlags); err != nil {
		return TestServer{}, err
	}
	opts.Etcd.StorageConfig = *storageConfig
	server, err := withPeriods(func() (*ServerProcess, error) {
		return StartProcess(t.Logf, dir, append(flags, customFlags...), !instanceOptions.SkipHealthzCheck)
	})
	if err != nil {
		return TestServer{}, err
	}
	opts.SecureServing.BindPort = server.Port
	if slices.ContainsFunc(customFlags, func(flag string) bool { return strings.HasPrefix(flag, "--tracing-config-file=") }) {
		// As the reference's own client, which these tests have there: the trace of a test's context goes along.
		server.Config.ContentType = runtime.ContentTypeProtobuf
		server.Config.Wrap(tracing.WrapperFor(tracing.NewNoopTracerProvider()))
	}
	client, _, err := GetEtcdClients(storageConfig.Transport)
	if err != nil {
		server.Stop()
		return TestServer{}, err
	}
	return TestServer{
		ClientConfig: server.Config, ServerOpts: opts, TmpDir: dir, EtcdClient: client, EtcdStoragePrefix: storageConfig.Prefix,
		TearDownFn: func() {
			server.Stop()
			_ = client.Close()
			if t.Failed() {
				t.Logf("output of the server:\n%s", server.Output())
			}
			_ = os.RemoveAll(dir)
		},
	}, nil
}

func isAuthorization(flag string) bool {
	return strings.HasPrefix(flag, "--authorization-")
}

// StandardFlags are those of every test.
func StandardFlags(dir string, instanceOptions *TestServerInstanceOptions, storage *storagebackend.Config) ([]string, error) {
	flags := []string{
		"--service-cluster-ip-range=10.0.0.0/16", "--etcd-prefix=" + storage.Prefix, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		"--service-account-issuer=https://foo.bar.example.com", "--data-dir=" + filepath.Join(dir, "data"),
	}
	for _, server := range storage.Transport.ServerList {
		flags = append(flags, "--etcd-servers="+server)
	}
	key := filepath.Join(dir, "service-accounts.key")
	if err := writeSigningKey(key); err != nil {
		return nil, err
	}
	flags = append(flags, "--service-account-key-file="+key, "--service-account-signing-key-file="+key)
	if instanceOptions.RequestTimeout > 0 {
		flags = append(flags, "--request-timeout="+instanceOptions.RequestTimeout.String())
	}
	if !instanceOptions.EnableCertAuth {
		return flags, nil
	}
	more, err := authorities(dir, instanceOptions.ProxyCA)
	return append(flags, more...), err
}

// authorities writes that of clients, and that of front proxies with a certificate of it.
func authorities(dir string, proxy *ProxyCA) ([]string, error) {
	clientFile, proxyFile := filepath.Join(dir, "client-ca.crt"), filepath.Join(dir, "proxy-ca.crt")
	if _, err := newAuthority("client-ca", clientFile); err != nil {
		return nil, err
	}
	if proxy == nil {
		made, err := newAuthority("front-proxy-ca", proxyFile)
		if err != nil {
			return nil, err
		}
		proxy = made
	} else if err := os.WriteFile(proxyFile, testutil.EncodeCertPEM(proxy.ProxySigningCert), 0o600); err != nil {
		return nil, err
	}
	certFile, keyFile := filepath.Join(dir, "misty-crt.crt"), filepath.Join(dir, "misty-crt.key")
	if err := writeProxyCertificate(proxy, certFile, keyFile); err != nil {
		return nil, err
	}
	return []string{
		"--client-ca-file=" + clientFile, "--requestheader-client-ca-file=" + proxyFile, "--requestheader-allowed-names=ash,misty,brock",
		"--requestheader-username-headers=x-remote-user", "--requestheader-group-headers=x-remote-group", "--requestheader-extra-headers-prefix=x-remote-extra-",
		"--proxy-client-cert-file=" + certFile, "--proxy-client-key-file=" + keyFile,
	}, nil
}

func newAuthority(name, file string) (*ProxyCA, error) {
	key, err := testutil.NewPrivateKey()
	if err != nil {
		return nil, err
	}
	certificate, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		return nil, err
	}
	return &ProxyCA{ProxySigningCert: certificate, ProxySigningKey: key}, os.WriteFile(file, testutil.EncodeCertPEM(certificate), 0o600)
}

// GetEtcdClients returns clients of the store that tests look into.
func GetEtcdClients(config storagebackend.TransportConfig) (*clientv3.Client, clientv3.KV, error) {
	var tlsConfig *tls.Config
	if config.CertFile != "" || config.KeyFile != "" || config.TrustedCAFile != "" {
		made, err := transport.TLSInfo{CertFile: config.CertFile, KeyFile: config.KeyFile, TrustedCAFile: config.TrustedCAFile}.ClientConfig()
		if err != nil {
			return nil, nil, err
		}
		tlsConfig = made
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: config.ServerList, TLS: tlsConfig, DialTimeout: 20 * time.Second, DialOptions: []grpc.DialOption{grpc.WithBlock()}})
	if err != nil {
		return nil, nil, fmt.Errorf("etcd at %v: %w", config.ServerList, err)
	}
	return client, clientv3.NewKV(client), nil
}
