import { UnixGrpcClient } from '#shared/grpc/unix-grpc-client.ts';
import { kmsV1Methods } from './kms-v1-messages.ts';

const version = 'v1beta1';

/**
 * Calls a KMS v1 plugin, whose version is asked for before the first call (apiserver's envelope/grpc_service.go). Calls
 * reject with GrpcError, or with an Error that tells of the version; both take the time of one call.
 */
export class KmsV1Client {
  readonly #client: UnixGrpcClient;
  readonly #timeoutMs: number;
  #isKnown = false;

  /** @param socket of the plugin; one in the abstract name space begins with `@` */
  constructor(socket: string, timeoutMs: number) {
    this.#client = new UnixGrpcClient({ endpoint: socket });
    this.#timeoutMs = timeoutMs;
  }

  async encrypt(plain: Buffer): Promise<Buffer> {
    const leftMs = await this.#checkVersion();
    const { cipher } = await this.#client.call(kmsV1Methods.Encrypt, { version, plain }, leftMs);
    return cipher;
  }

  async decrypt(cipher: Buffer): Promise<Buffer> {
    const leftMs = await this.#checkVersion();
    const { plain } = await this.#client.call(kmsV1Methods.Decrypt, { version, cipher }, leftMs);
    return plain;
  }

  close(): void {
    this.#client.close();
  }

  /** How much of the call's time is left. */
  async #checkVersion(): Promise<number> {
    if (this.#isKnown) return this.#timeoutMs;
    const startMs = performance.now();
    const answer = await this.#client
      .call(kmsV1Methods.Version, { version }, this.#timeoutMs)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`failed get version from remote KMS provider: ${reason}`);
      });
    if (answer.version !== version)
      throw new Error(`KMS provider api version ${answer.version} is not supported, only ${version} is supported now`);
    this.#isKnown = true;
    return this.#timeoutMs - (performance.now() - startMs);
  }
}
