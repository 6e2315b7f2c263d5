import { readFile } from 'node:fs/promises';

export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const recheckMs = 10_000;

/** The certificate by which extension servers know the gateway (`--proxy-client-cert-file`), read again when it changes. */
export class ClientCertificate {
  readonly #paths: readonly [cert: string, key: string];
  readonly #onChange: () => void;
  #pair: KeyPair | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Empty paths: no certificate. `onChange` also for the first one. */
  constructor(certPath: string, keyPath: string, onChange: () => void) {
    this.#paths = [certPath, keyPath];
    this.#onChange = onChange;
  }

  get current(): KeyPair | undefined {
    return this.#pair;
  }

  /** Rejects when the files cannot be read. */
  async start(): Promise<void> {
    if (this.#paths[0] === '') return;
    this.#pair = await this.#read();
    this.#onChange();
    this.#timer = setInterval(() => void this.#refresh(), recheckMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #read(): Promise<KeyPair> {
    const [cert, key] = await Promise.all(this.#paths.map((path) => readFile(path, 'utf8')));
    return { cert: cert ?? '', key: key ?? '' };
  }

  /** Files that are being replaced: the old pair stays until both can be read. */
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
