import { UnixGrpcClient, type UnixGrpcClientOptions } from '#shared/grpc/unix-grpc-client.ts';
import { signerMethods, type KeysAnswer, type MetadataAnswer, type SignAnswer } from './signer-messages.ts';

/** Calls an external signer by gRPC on a Unix socket. A call waits until the signer listens, within its time. */
export class SignerClient {
  readonly #client: UnixGrpcClient;

  constructor(options: UnixGrpcClientOptions) {
    this.#client = new UnixGrpcClient(options);
  }

  /** `claims`: the payload in base64url. Rejects with GrpcError, as all calls. */
  sign(claims: string, timeoutMs: number): Promise<SignAnswer> {
    return this.#client.call(signerMethods.Sign, { claims }, timeoutMs);
  }

  fetchKeys(timeoutMs: number): Promise<KeysAnswer> {
    return this.#client.call(signerMethods.FetchKeys, {}, timeoutMs);
  }

  metadata(timeoutMs: number): Promise<MetadataAnswer> {
    return this.#client.call(signerMethods.Metadata, {}, timeoutMs);
  }

  close(): void {
    this.#client.close();
  }
}
