package main

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"k8s.io/kms/pkg/service"
)

// Names the key of a data key beside its id, as plugins of remote services do.
const keyAnnotation = "key.kms-plugin.example.com"

type pluginV2 struct {
	vault
}

func serveV2(socket string, keys vault) error {
	return service.NewGRPCService(socket, 10*time.Second, pluginV2{keys}).ListenAndServe()
}

func (p pluginV2) Status(ctx context.Context) (*service.StatusResponse, error) {
	now, err := p.begin(ctx, "Status")
	if err != nil {
		return nil, err
	}
	return &service.StatusResponse{Version: now.Version, Healthz: now.Healthz, KeyID: now.KeyID}, nil
}

func (p pluginV2) Encrypt(ctx context.Context, _ string, plain []byte) (*service.EncryptResponse, error) {
	now, err := p.begin(ctx, "Encrypt")
	if err != nil {
		return nil, err
	}
	return &service.EncryptResponse{
		Ciphertext:  seal(now.EncryptKeyID, plain),
		KeyID:       now.EncryptKeyID,
		Annotations: map[string][]byte{keyAnnotation: []byte(now.EncryptKeyID)},
	}, nil
}

func (p pluginV2) Decrypt(ctx context.Context, _ string, request *service.DecryptRequest) ([]byte, error) {
	if _, err := p.begin(ctx, "Decrypt"); err != nil {
		return nil, err
	}
	if string(request.Annotations[keyAnnotation]) != request.KeyID {
		return nil, status.Error(codes.InvalidArgument, "the annotation names another key")
	}
	return open(request.KeyID, request.Ciphertext)
}
