import { lookup as dnsLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { formatBackendAddress, type BackendAddress } from '#shared/server/options/backend-address.ts';

const resolveEveryMs = 5_000;
/** Pause between rounds while a name has never been resolved. */
const firstPauseMs = 200;

export interface AddressResolverOptions {
  readonly addresses: readonly BackendAddress[];
  /** Called with all current addresses, without duplicates: at once, and when they have changed. */
  readonly onAddresses: (addresses: readonly BackendAddress[]) => void;
  readonly onError: (error: unknown) => void;
  /** Default: the system's resolver. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
}

/**
 * Resolves host names to all of their addresses, repeatedly, since processes are added and removed behind a name. A
 * name that cannot be resolved keeps its last addresses.
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

  /** Resolves all names once. */
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
