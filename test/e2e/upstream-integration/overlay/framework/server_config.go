package framework

import (
	"fmt"
	"reflect"
	"slices"

	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"

	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
)

// flagsOfConfig tells with which flags a server is as the test wants its inside to be. What no flag can say is an error.
func flagsOfConfig(change func(*controlplane.Config)) (flags []string, err error) {
	inside := fmt.Errorf("this changes the inside of the reference: not for a server in a process of its own")
	// What the reference has filled in by then is not there.
	defer func() {
		if recover() != nil {
			err = inside
		}
	}()
	config := &controlplane.Config{ControlPlane: controlplaneapiserver.Config{Generic: &genericapiserver.Config{}}}
	change(config)
	if source, ok := config.ControlPlane.Extra.APIResourceConfigSource.(*serverstorage.ResourceConfig); ok {
		flags = append(flags, runtimeConfig(source)...)
	}
	if kind := config.Extra.EndpointReconcilerType; kind != "" {
		flags = append(flags, "--endpoint-reconciler-type="+string(kind))
	}
	config.ControlPlane.Extra.APIResourceConfigSource, config.Extra.EndpointReconcilerType = nil, ""
	if !reflect.DeepEqual(config, &controlplane.Config{ControlPlane: controlplaneapiserver.Config{Generic: &genericapiserver.Config{}}}) {
		return nil, inside
	}
	return flags, nil
}

// runtimeConfig names the versions and resources that are not as by default.
func runtimeConfig(source *serverstorage.ResourceConfig) []string {
	usual := controlplane.DefaultAPIResourceConfigSource()
	var flags []string
	for version, enabled := range source.GroupVersionConfigs {
		// What the reference does not have either can be switched on there.
		if usual.GroupVersionConfigs[version] != enabled && legacyscheme.Scheme.IsVersionRegistered(version) {
			flags = append(flags, fmt.Sprintf("--runtime-config=%s=%v", version, enabled))
		}
	}
	for resource, enabled := range source.ResourceConfigs {
		if was, known := usual.ResourceConfigs[resource]; !known || was != enabled {
			flags = append(flags, fmt.Sprintf("--runtime-config=%s/%s=%v", resource.GroupVersion(), resource.Resource, enabled))
		}
	}
	slices.Sort(flags)
	return flags
}
