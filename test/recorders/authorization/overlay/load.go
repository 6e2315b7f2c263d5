package load

// Records what the tests' AuthorizationConfigurations are decoded to. record.sh gives upstream's function the suffix Unrecorded.

import (
	api "k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/authorization/recording"
)

func LoadFromData(data []byte) (*api.AuthorizationConfiguration, error) {
	config, err := loadFromDataUnrecorded(data)
	line := map[string]any{"contents": string(data), "error": recording.Text(err)}
	if err == nil {
		line["configuration"] = config
	}
	recording.Line("loads", line)
	return config, err
}
