import { randomUUID } from 'node:crypto';
import { UnixGrpcClient } from '#shared/grpc/unix-grpc-client.ts';
import { kmsMethods, type DecryptRequest, type EncryptAnswer, type StatusAnswer } from './kms-messages.ts';

export interface KmsClientOptions {
  /** Path of the plugin's socket; one in the abstract name space begins with `@`. */
  readonly socket: string;
  /** Of each call. */
  readonly timeoutMs: number;
  readonly onCall?: (path: string, code: string, seconds: number) => void;
}

/** Calls a KMS v2 plugin. Calls reject with GrpcError; they wait for a plugin that is away, within their time. */
export class KmsClient {
  readonly #client: UnixGrpcClient;
  readonly #timeoutMs: number;

  constructor({ socket, timeoutMs, onCall }: KmsClientOptions) {
    this.#client = new UnixGrpcClient({ endpoint: socket, onCall });
    this.#timeoutMs = timeoutMs;
  }

  status(): Promise<StatusAnswer> {
    return this.#client.call(kmsMethods.Status, {}, this.#timeoutMs);
  }

  encrypt(plaintext: Buffer, uid: string): Promise<EncryptAnswer> {
    return this.#client.call(kmsMethods.Encrypt, { plaintext, uid }, this.#timeoutMs);
  }

  async decrypt(request: Omit<DecryptRequest, 'uid'>): Promise<Buffer> {
    const call = { ...request, uid: randomUUID() };
    const { plaintext } = await this.#client.call(kmsMethods.Decrypt, call, this.#timeoutMs);
    return plaintext;
  }

  close(): void {
    this.#client.close();
  }
}
