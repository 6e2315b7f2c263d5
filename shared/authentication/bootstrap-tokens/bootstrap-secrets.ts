import type { KubeObject } from '#shared/apimachinery/object.ts';
import { storageOf } from '#shared/storage/create/partitioned-storage.ts';
import type { Storage, StorageEvent, StorageWatch, StoredKeyValue } from '#shared/storage/storage.ts';
import { BootstrapSecret, secretNamePrefix } from './bootstrap-secret.ts';

const namespacePrefix = '/secrets/kube-system/';
const prefix = namespacePrefix + secretNamePrefix;
const retryMs = 1000;
/** A request waits no longer for the first state. */
const readyWithinMs = 10_000;

export interface BootstrapSecretsOptions {
  readonly storage: Storage;
  readonly decode: (value: Uint8Array) => KubeObject;
  readonly reportError: (message: string, error: unknown) => void;
}

/**
 * The secrets that hold bootstrap tokens, alone among those of kube-system, kept current by a watch: who tries tokens
 * causes no reads of storage.
 */
export class BootstrapSecrets {
  readonly #options: BootstrapSecretsOptions;
  readonly #storage: Storage;
  readonly #ready = Promise.withResolvers<void>();
  #secrets: Map<string, BootstrapSecret> | undefined;
  #watch: StorageWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: BootstrapSecretsOptions) {
    this.#options = options;
    this.#storage = storageOf(options.storage, 'secrets');
    void this.#begin();
  }

  /** The secret of a token's id. Rejects while the secrets cannot be listed. */
  get(id: string): BootstrapSecret | undefined | Promise<BootstrapSecret | undefined> {
    return this.#secrets === undefined ? this.#whenReady(id) : this.#secrets.get(id);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watch?.close();
  }

  async #whenReady(id: string): Promise<BootstrapSecret | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the bootstrap tokens are not read yet')), readyWithinMs);
    });
    await Promise.race([this.#ready.promise, late]).finally(() => clearTimeout(timer));
    return this.#secrets?.get(id);
  }

  async #begin(): Promise<void> {
    try {
      const { items, revision } = await this.#storage.list(prefix);
      if (this.#closed) return;
      this.#secrets = new Map(items.flatMap((item) => this.#decoded(item)));
      this.#ready.resolve();
      this.#watch = this.#storage.watch(prefix, revision + 1, {
        onEvents: (events) => this.#apply(events),
        onProgress: () => undefined,
        // The revision was compacted while the connection was down.
        onError: () => void this.#begin(),
      });
    } catch (error) {
      if (this.#closed) return;
      this.#options.reportError('the bootstrap tokens could not be read', error);
      this.#timer = setTimeout(() => void this.#begin(), retryMs).unref();
    }
  }

  #apply(events: readonly StorageEvent[]): void {
    for (const event of events) {
      this.#secrets?.delete(idOf(event.type === 'put' ? event.kv.key : event.key));
      if (event.type !== 'put') continue;
      for (const [id, secret] of this.#decoded(event.kv)) this.#secrets?.set(id, secret);
    }
  }

  /** A secret that cannot be decoded is left out. */
  #decoded({ key, value }: StoredKeyValue): [string, BootstrapSecret][] {
    try {
      return [[idOf(key), new BootstrapSecret(this.#options.decode(value))]];
    } catch (error) {
      this.#options.reportError(`a bootstrap token could not be read: ${key}`, error);
      return [];
    }
  }
}

function idOf(key: string): string {
  return key.slice(prefix.length);
}
