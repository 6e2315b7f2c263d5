import { dialClientUrl } from '#shared/storage/etcd-wire/frame-dial.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { contractSuite } from './testing/contract-suite.ts';
import { GrpcTestTransport } from './testing/grpc-test-transport.ts';
import { temporaryStore } from './testing/temporary-store.ts';

contractSuite('the embedded store over frames', async () => {
  const temporary = await temporaryStore();
  return { etcd: temporary.etcd, stop: async () => temporary[Symbol.asyncDispose]() };
});

contractSuite('the embedded store over gRPC', async () => {
  const temporary = await temporaryStore({ listenClientUrls: ['http://127.0.0.1:0'] });
  const etcd = new GrpcTestTransport(temporary.store.clientUrls[0] as string);
  return {
    etcd,
    stop: async () => {
      await etcd.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
});

contractSuite('the embedded store over frames at its client address', async () => {
  const temporary = await temporaryStore({ listenClientUrls: ['http://127.0.0.1:0'] });
  const etcd = new FrameTransport({ dial: dialClientUrl(temporary.store.clientUrls[0] as string) });
  return {
    etcd,
    stop: async () => {
      await etcd.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
});
