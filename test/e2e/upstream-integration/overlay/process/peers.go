package testing

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	_ "unsafe" // for go:linkname

	genericfeatures "k8s.io/apiserver/pkg/features"
	_ "k8s.io/apiserver/pkg/server"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/util/cert"
)

// Upstream's tests give servers in their process other names of their host, from which ids follow, by
// SetHostnameFuncForTests, and one certificate to all.
//
//go:linkname hostnameFunc k8s.io/apiserver/pkg/server.hostnameFunc
var hostnameFunc func() (string, error)

var certificate = sync.OnceValues(func() ([2][]byte, error) {
	crt, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.ParseIP("127.0.0.1")}, []string{"localhost", "kubernetes.default.svc"})
	return [2][]byte{crt, key}, err
})

// hostOfItsOwn is the name that the test gave the host, or nothing.
func hostOfItsOwn() string {
	real, _ := os.Hostname()
	if name, err := hostnameFunc(); err == nil && name != real {
		return name
	}
	return ""
}

// onHost makes a command that runs in a name space with another name of the host. It needs root.
func onHost(name string, command []string) []string {
	return append([]string{"unshare", "--uts", "sh", "-c", `hostname "$0" && exec "$@"`, name}, command...)
}

func hasPeers() bool {
	return utilfeature.DefaultFeatureGate.Enabled(genericfeatures.UnknownVersionInteroperabilityProxy)
}

// peerFlags gives the server the certificate of all, and tells it to trust that.
func peerFlags(serving string) ([]string, error) {
	made, err := certificate()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(serving, 0o700); err != nil {
		return nil, err
	}
	file := filepath.Join(serving, "apiserver.crt")
	if err := os.WriteFile(file, made[0], 0o600); err != nil {
		return nil, err
	}
	return []string{"--peer-ca-file=" + file}, os.WriteFile(filepath.Join(serving, "apiserver.key"), made[1], 0o600)
}
