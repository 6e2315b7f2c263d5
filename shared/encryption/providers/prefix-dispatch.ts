import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import type { Revealed, ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import type { TransformationRecorder } from './transformation-metrics.ts';

/** A transformer, and what its values begin with. */
export interface PrefixedTransformer {
  /** Empty for values that are not encrypted. */
  readonly prefix: string;
  readonly transformer: ValueTransformer;
}

interface Choice extends PrefixedTransformer {
  readonly bytes: Buffer;
}

/**
 * Chooses among transformers by the beginning of values: the first writes, all read, and what the first did not write
 * is stale. Several may have one prefix, as keys with one name have: each that matches is tried.
 */
export class PrefixDispatch implements ValueTransformer {
  readonly #choices: readonly Choice[];
  readonly #noMatch: string;
  readonly #record: TransformationRecorder;

  /** @param noMatch the text of the error for a value that no transformer reads */
  constructor(choices: readonly PrefixedTransformer[], noMatch: string, record: TransformationRecorder) {
    this.#choices = choices.map((choice) => ({ ...choice, bytes: Buffer.from(choice.prefix) }));
    this.#noMatch = noMatch;
    this.#record = record;
  }

  fromStorage(stored: Uint8Array, key: string): Revealed | Promise<Revealed> {
    return this.#read(stored, key, 0, []);
  }

  toStorage(plain: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    const startedAt = performance.now();
    const { prefix, bytes, transformer } = this.#choices[0] as Choice;
    const succeeded = (sealed: Uint8Array): Uint8Array => {
      this.#record('to_storage', prefix, startedAt, undefined);
      return bytes.length === 0 ? sealed : Buffer.concat([bytes, sealed]);
    };
    const failed = (error: unknown): never => {
      this.#record('to_storage', prefix, startedAt, error);
      throw error;
    };
    let sealed;
    try {
      sealed = transformer.toStorage(plain, key);
    } catch (error) {
      return failed(error);
    }
    return sealed instanceof Promise ? sealed.then(succeeded, failed) : succeeded(sealed);
  }

  /** Tries the choices from an index on; `reasons` are the errors of those before. */
  #read(stored: Uint8Array, key: string, from: number, reasons: readonly Error[]): Revealed | Promise<Revealed> {
    const startedAt = performance.now();
    const index = this.#choices.findIndex(
      ({ bytes }, at) => at >= from && stored.length >= bytes.length && bytes.compare(stored, 0, bytes.length) === 0,
    );
    const choice = this.#choices[index];
    if (choice === undefined) return this.#unread(startedAt, reasons);
    const { prefix, bytes, transformer } = choice;
    const label = prefix === '' ? 'identity' : prefix;
    const succeeded = ({ value, isStale }: Revealed): Revealed => {
      this.#record('from_storage', label, startedAt, undefined);
      return { value, isStale: isStale || index > 0 };
    };
    const failed = (error: unknown): Revealed | Promise<Revealed> => {
      // Values that others encrypted are not for the provider that encrypts nothing.
      if (prefix === '') return this.#read(stored, key, index + 1, reasons);
      this.#record('from_storage', label, startedAt, error);
      return this.#read(stored, key, index + 1, [...reasons, error as Error]);
    };
    let revealed;
    try {
      revealed = transformer.fromStorage(stored.subarray(bytes.length), key);
    } catch (error) {
      return failed(error);
    }
    return revealed instanceof Promise ? revealed.then(succeeded, failed) : succeeded(revealed);
  }

  #unread(startedAt: number, reasons: readonly Error[]): never {
    const [first] = reasons;
    if (first !== undefined)
      throw reasons.length === 1
        ? first
        : new Error(aggregateMessages(reasons.map(({ message }) => message)), { cause: first });
    const error = new Error(this.#noMatch);
    this.#record('from_storage', 'unknown', startedAt, error);
    throw error;
  }
}
