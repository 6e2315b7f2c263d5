import { readFile } from 'node:fs/promises';
import { watchFiles } from '#shared/files/watch-files.ts';
import { assertKeyPair } from '#shared/process/link/key-pair.ts';

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/**
 * The client certificate of the gateway for registered servers (`--proxy-client-cert-file`), read again when it
 * changes.
 */
export class ClientCertificate {
  readonly #paths: readonly [cert: string, key: string];
  readonly #onChange: () => void;
  #pair: KeyPair | undefined;
  #unfollow: (() => void) | undefined;

  /** Empty paths mean no certificate. `onChange` is called for the first certificate, too. */
  constructor(certPath: string, keyPath: string, onChange: () => void) {
    this.#paths = [certPath, keyPath];
    this.#onChange = onChange;
  }

  get configured(): boolean {
    return this.#paths[0] !== '';
  }

  get current(): KeyPair | undefined {
    return this.#pair;
  }

  /** Rejects when the files cannot be read or used; their changes are still watched. */
  async start(): Promise<void> {
    if (!this.configured) return;
    this.#unfollow ??= watchFiles(this.#paths, () => void this.#refresh());
    this.#pair = await this.#read();
    this.#onChange();
  }

  close(): void {
    this.#unfollow?.();
  }

  async #read(): Promise<KeyPair> {
    const [cert = '', key = ''] = await Promise.all(this.#paths.map((path) => readFile(path, 'utf8')));
    assertKeyPair(cert, key);
    return { cert, key };
  }

  /** Reads changed files. While they are being replaced, the old pair stays until both files can be used. */
  async #refresh(): Promise<void> {
    try {
      const pair = await this.#read();
      if (pair.cert === this.#pair?.cert && pair.key === this.#pair.key) return;
      this.#pair = pair;
      this.#onChange();
    } catch {
      return;
    }
  }
}
