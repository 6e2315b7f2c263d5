package testing

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	genericfeatures "k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/util/cert"
)

// Upstream's tests give each server in their process another name of its host, from which its id follows, and one certificate to all.
var (
	hosts       atomic.Int64
	certificate = sync.OnceValues(func() ([2][]byte, error) {
		crt, key, err := cert.GenerateSelfSignedCertKey("127.0.0.1", []net.IP{net.ParseIP("127.0.0.1")}, []string{"localhost", "kubernetes.default.svc"})
		return [2][]byte{crt, key}, err
	})
)

func hasPeers() bool {
	return utilfeature.DefaultFeatureGate.Enabled(genericfeatures.UnknownVersionInteroperabilityProxy)
}

// onHostOfItsOwn makes a command that runs in a name space with another name of the host. It needs root.
func onHostOfItsOwn(command []string) []string {
	name := fmt.Sprintf("test-server-%d", hosts.Add(1))
	return append([]string{"unshare", "--uts", "sh", "-c", `hostname "$0" && exec "$@"`, name}, command...)
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
