package main

import (
	"bytes"
	"context"
	"net"

	"google.golang.org/grpc"
	kmsapi "k8s.io/kms/apis/v1beta1"
)

type pluginV1 struct {
	vault
	kmsapi.UnimplementedKeyManagementServiceServer
}

func serveV1(socket string, keys vault) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	kmsapi.RegisterKeyManagementServiceServer(server, pluginV1{vault: keys})
	return server.Serve(listener)
}

func (p pluginV1) Version(ctx context.Context, _ *kmsapi.VersionRequest) (*kmsapi.VersionResponse, error) {
	now, err := p.begin(ctx, "Version")
	if err != nil {
		return nil, err
	}
	return &kmsapi.VersionResponse{Version: now.Version, RuntimeName: "kms-plugin", RuntimeVersion: "1.0.0"}, nil
}

// A plugin of v1 has nothing but the bytes to know the key by.
func (p pluginV1) Encrypt(ctx context.Context, request *kmsapi.EncryptRequest) (*kmsapi.EncryptResponse, error) {
	now, err := p.begin(ctx, "Encrypt")
	if err != nil {
		return nil, err
	}
	return &kmsapi.EncryptResponse{Cipher: append([]byte(now.KeyID+":"), seal(now.KeyID, request.Plain)...)}, nil
}

func (p pluginV1) Decrypt(ctx context.Context, request *kmsapi.DecryptRequest) (*kmsapi.DecryptResponse, error) {
	if _, err := p.begin(ctx, "Decrypt"); err != nil {
		return nil, err
	}
	keyID, sealed, _ := bytes.Cut(request.Cipher, []byte(":"))
	plain, err := open(string(keyID), sealed)
	if err != nil {
		return nil, err
	}
	return &kmsapi.DecryptResponse{Plain: plain}, nil
}
