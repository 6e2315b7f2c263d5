import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { formatBackendAddress, type BackendAddress } from '../../shared/server/options/backend-address.ts';

const resolveEveryMs = 5_000;
/** While nothing is known of a name. */
const firstPauseMs = 200;

export interface AddressResolverOptions {
  readonly addresses: readonly BackendAddress[];
  /** All of the present, each once; called when they differ from the last ones, for the first time at once. */
  readonly onAddresses: (addresses: readonly BackendAddress[]) => void;
  readonly onError: (error: unknown) => void;
  /** Default: the system's resolver. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/**
 * Turns names into all of their addresses, again and again, since processes are added and taken away behind a name. A
 * name that cannot be resolved keeps the addresses that it had.
 */
export class AddressResolver {
  readonly #options: AddressResolverOptions;
  readonly #lookup: (name: string) => Promise<readonly string[]>;
  readonly #known = new Map<string, readonly string[]>();
  #last = '';
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: AddressResolverOptions) {
    this.#options = options;
    this.#lookup =
      options.lookup ?? (async (name) => (await dnsLookup(name, { all: true })).map(({ address }) => address));
    this.#tell();
    if (this.#names().length > 0) void this.resolve();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** One round over all names. */
  async resolve(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(
      this.#names().map(async (name) => {
        try {
          this.#known.set(name, (await this.#lookup(name)).toSorted());
        } catch (error) {
          if (!this.#closed) this.#options.onError(error);
        }
      }),
    );
    if (this.#closed) return;
    this.#tell();
    const complete = this.#names().every((name) => this.#known.has(name));
    this.#timer = setTimeout(() => void this.resolve(), complete ? resolveEveryMs : firstPauseMs).unref();
  }

  #names(): string[] {
    return this.#options.addresses.flatMap((address) =>
      address.kind === 'tcp' && isIP(address.host) === 0 ? [address.host] : [],
    );
  }

  #tell(): void {
    const all = this.#options.addresses.flatMap((address): BackendAddress[] => {
      if (address.kind === 'unix' || isIP(address.host) !== 0) return [address];
      return (this.#known.get(address.host) ?? []).map((host) => ({ kind: 'tcp', host, port: address.port }));
    });
    const distinct = [...new Map(all.map((address) => [formatBackendAddress(address), address])).values()];
    const text = distinct.map(formatBackendAddress).join(' ');
    if (text === this.#last) return;
    this.#last = text;
    this.#options.onAddresses(distinct);
  }
}
