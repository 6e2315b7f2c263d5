import {
  signerMethods,
  type KeysAnswer,
  type MetadataAnswer,
  type SignAnswer,
} from '#shared/authentication/external-signer/signer-messages.ts';
import { GrpcServer, type GrpcFailure } from '#shared/grpc/testing/grpc-server.ts';
import { decodeMessage, encodeMessage, type Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type { MessageType } from '#shared/storage/etcd-wire/message-type.ts';

/** What a signer answers; it may change meanwhile. */
export interface SignerScript {
  fetchKeys(): KeysAnswer | GrpcFailure;
  sign(claims: string): SignAnswer | GrpcFailure;
  metadata(): MetadataAnswer | GrpcFailure;
}

/** An external signer on a Unix socket, for tests. */
export class ScriptedSigner {
  readonly #server: GrpcServer;

  constructor(script: SignerScript) {
    const { Sign, FetchKeys, Metadata } = signerMethods;
    this.#server = new GrpcServer((path, message) => {
      if (path === Sign.path) return encoded(Sign.answer, script.sign(decodeMessage(Sign.request, message).claims));
      if (path === FetchKeys.path) return encoded(FetchKeys.answer, script.fetchKeys());
      return encoded(Metadata.answer, script.metadata());
    });
  }

  get socket(): string {
    return this.#server.socket;
  }

  open(): Promise<void> {
    return this.#server.open();
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

function encoded<T extends object>(type: MessageType<T>, value: T | GrpcFailure): Uint8Array | GrpcFailure {
  return 'description' in value ? value : encodeMessage(type, value as Encodable<T>);
}
