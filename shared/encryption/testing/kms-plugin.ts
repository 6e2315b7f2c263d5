import { createHash } from 'node:crypto';
import { openAesGcm, sealAesGcm } from '#shared/encryption/ciphers/aes-gcm.ts';
import { kmsMethods } from '#shared/encryption/kms/v2/kms-messages.ts';
import type { GrpcFailure } from '#shared/grpc/testing/grpc-server.ts';
import { GrpcServer } from '#shared/grpc/testing/grpc-server.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';

type KmsMethod = keyof typeof kmsMethods;

const internalCode = 13;

/**
 * A KMS v2 plugin on a Unix socket, for tests. A key id stands for a key, so a plugin that is started again still
 * decrypts what it encrypted.
 */
export class KmsPlugin {
  /** Of the key that encrypts; old ones still decrypt. */
  keyId = '1';
  healthz = 'ok';
  /** A method that is never answered. */
  hanging: KmsMethod | undefined;
  /** A method that fails, with the text. */
  failing: readonly [KmsMethod, string] | undefined;
  /** Whether it decrypts to other bytes than it encrypted. */
  lies = false;
  /** Calls so far. */
  readonly calls: Record<KmsMethod, number> = { Status: 0, Encrypt: 0, Decrypt: 0 };
  readonly #server = new GrpcServer((path, message) => this.#answer(path, message));

  /** For a configuration. */
  get endpoint(): string {
    return `unix://${this.#server.socket}`;
  }

  /** Also after `kill`. */
  open(): Promise<void> {
    return this.#server.open();
  }

  kill(): Promise<void> {
    return this.#server.kill();
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  #answer(path: string, message: Buffer): Uint8Array | GrpcFailure | undefined {
    const method = path.slice(path.lastIndexOf('/') + 1) as KmsMethod;
    this.calls[method]++;
    if (this.hanging === method) return undefined;
    if (this.failing?.[0] === method) return { code: internalCode, description: this.failing[1] };
    if (method === 'Status')
      return encodeMessage(kmsMethods.Status.answer, { version: 'v2', healthz: this.healthz, keyId: this.keyId });
    if (method === 'Encrypt') {
      const { plaintext } = decodeMessage(kmsMethods.Encrypt.request, message);
      const annotations = [{ key: 'plugin.example.com', value: Buffer.from(this.keyId) }];
      const ciphertext = sealAesGcm(keyOf(this.keyId), plaintext, this.keyId);
      return encodeMessage(kmsMethods.Encrypt.answer, { ciphertext, keyId: this.keyId, annotations });
    }
    const { ciphertext, keyId } = decodeMessage(kmsMethods.Decrypt.request, message);
    const plaintext = openAesGcm(keyOf(keyId), ciphertext, keyId);
    return encodeMessage(kmsMethods.Decrypt.answer, { plaintext: this.lies ? Buffer.alloc(32, 1) : plaintext });
  }
}

function keyOf(keyId: string): Buffer {
  return createHash('sha256').update(keyId).digest();
}
