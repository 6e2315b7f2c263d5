import { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import type { NamedCertificate } from '#shared/server/http/named-certificates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

type Pair = ReloadedFiles<'cert' | 'key'>;

/**
 * The serving certificates that the options name: the default one and those for single host names. Their files are
 * watched for changes.
 */
export class ServingCertificates {
  readonly #usual: Pair;
  readonly #named: readonly (readonly [Pair, readonly string[]])[];

  /** Throws when a file cannot be read or used; `reportError` is called if a changed file cannot be. */
  constructor({ tlsCertFile, tlsPrivateKeyFile, tlsSniCertKey }: ServerOptions, reportError: (error: Error) => void) {
    this.#usual = new ReloadedFiles({ cert: tlsCertFile, key: tlsPrivateKeyFile }, reportError);
    this.#named = tlsSniCertKey.map(({ certFile, keyFile, names }) => [
      new ReloadedFiles({ cert: certFile, key: keyFile }, reportError),
      names,
    ]);
  }

  get usual(): Pair['current'] {
    return this.#usual.current;
  }

  get hasNamed(): boolean {
    return this.#named.length > 0;
  }

  get named(): NamedCertificate[] {
    return this.#named.map(([pair, names]) => ({ ...pair.current, names }));
  }

  onChange(listener: () => void): void {
    for (const pair of this.#pairs()) pair.onChange(listener);
  }

  close(): void {
    for (const pair of this.#pairs()) pair.close();
  }

  #pairs(): Pair[] {
    return [this.#usual, ...this.#named.map(([pair]) => pair)];
  }
}
