import { readFileSync } from 'node:fs';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { watchFiles } from '#shared/files/watch-files.ts';
import { assertAuthorities, assertKeyPair } from './key-pair.ts';

type FileName = 'ca' | 'cert' | 'key';

/**
 * A certificate with its key, CA certificates, or both, read at once and again when the files change. Unusable files,
 * such as a key whose certificate has not been replaced yet, are ignored: the last usable pair and the last usable CA
 * certificates stay in use.
 */
export class ReloadedFiles<Name extends FileName> {
  readonly #paths: Readonly<Record<Name, string>>;
  readonly #listeners: (() => void)[] = [];
  readonly #reportError: (error: Error) => void;
  readonly #unfollow: () => void;
  #contents: Readonly<Record<Name, Buffer>>;
  /** The last errors of files that were ignored; they are reported only once. */
  #lastErrors = '';

  /** Throws if the files cannot be read or used. `reportError` is called for files that become unusable later. */
  constructor(paths: Readonly<Record<Name, string>>, reportError: (error: Error) => void = () => undefined) {
    this.#paths = paths;
    this.#reportError = reportError;
    this.#contents = Object.assign({}, ...this.#parts().map((part) => this.#read(part))) as Record<Name, Buffer>;
    this.#unfollow = watchFiles(Object.values(paths), () => this.refresh());
  }

  get current(): Readonly<Record<Name, Buffer>> {
    return this.#contents;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the files now. */
  refresh(): void {
    const before = this.#contents;
    const errors: Error[] = [];
    for (const part of this.#parts()) {
      try {
        this.#contents = { ...this.#contents, ...this.#read(part) };
      } catch (error) {
        errors.push(error as Error);
      }
    }
    this.#tell(errors);
    if (
      Object.entries<Buffer>(before).every(
        ([name, bytes]) => getKey<Buffer>(this.#contents, name)?.equals(bytes) === true,
      )
    )
      return;
    for (const listener of this.#listeners) listener();
  }

  close(): void {
    this.#unfollow();
  }

  /** The names of the files that must be replaced together. */
  #parts(): Name[][] {
    const names = Object.keys(this.#paths) as Name[];
    return [names.filter((name) => name !== 'ca'), names.filter((name) => name === 'ca')].filter(
      (part) => part.length > 0,
    );
  }

  #read(part: readonly Name[]): Record<Name, Buffer> {
    const paths = part.map((name) => this.#paths[name]);
    const contents = Object.fromEntries(part.map((name) => [name, readFileSync(this.#paths[name])])) as Record<
      FileName,
      Buffer
    >;
    try {
      if (part.includes('ca' as Name)) assertAuthorities(contents.ca);
      else assertKeyPair(contents.cert, contents.key);
    } catch (error) {
      throw new Error(`${paths.join(', ')}: ${(error as Error).message}`, { cause: error });
    }
    return contents;
  }

  #tell(errors: readonly Error[]): void {
    const text = errors.map(({ message }) => message).join('\n');
    if (text !== this.#lastErrors) for (const error of errors) this.#reportError(error);
    this.#lastErrors = text;
  }
}
