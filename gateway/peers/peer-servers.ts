import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { ClientCertificate } from '#gateway/remote/client-certificate.ts';
import { RemoteServer } from '#gateway/remote/remote-server.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { watchFiles } from '#shared/files/watch-files.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** Tells a peer that it has to serve the request by itself, so that no request goes around in circles. */
export const proxiedHeader = 'x-kubernetes-peer-proxied';

/** How long a peer that could not be reached is passed over where others serve the resource, too. */
const failedMs = 5_000;

export interface PeerServersOptions {
  readonly options: ServerOptions;
  readonly dial: EgressDial | undefined;
  readonly onError: (message: string, error: unknown) => void;
}

/**
 * The connections to peers, by address. Their certificates are for `kubernetes.default.svc`, of an authority in
 * `--peer-ca-file`; this server shows that of `--proxy-client-cert-file`. All three files may change.
 */
export class PeerServers {
  readonly #dial: EgressDial | undefined;
  readonly #caFile: string;
  readonly #certificate: ClientCertificate;
  readonly #hides: (name: string) => boolean;
  readonly #servers = new Map<string, RemoteServer>();
  readonly #failed = new Map<string, number>();
  readonly #unfollow: () => void;
  readonly #onError: PeerServersOptions['onError'];
  #ca: string;

  /** @throws Error for a file of authorities without a certificate, or without a client certificate */
  constructor({ options, dial, onError }: PeerServersOptions) {
    const { peerCaFile, proxyClientCertFile, proxyClientKeyFile } = options;
    if (proxyClientCertFile === '') throw new Error('error building peer proxy handler, proxy-cert-file not specified');
    if (proxyClientKeyFile === '') throw new Error('error building peer proxy handler, proxy-key-file not specified');
    this.#dial = dial;
    this.#caFile = peerCaFile;
    this.#ca = readAuthorities(peerCaFile);
    this.#onError = onError;
    this.#hides = hiddenHeaders(options);
    this.#certificate = new ClientCertificate(proxyClientCertFile, proxyClientKeyFile, () => this.#forget());
    this.#unfollow = watchFiles([peerCaFile], () => this.#readAgain());
  }

  /** Reads the client certificate. */
  async start(): Promise<void> {
    await this.#certificate.start().catch((error: unknown) => this.#onError('peers see no client certificate', error));
  }

  at(address: string): RemoteServer {
    let server = this.#servers.get(address);
    if (server === undefined) this.#servers.set(address, (server = this.#open(address)));
    return server;
  }

  /** One of the addresses by chance, if possible one that was not out of reach a moment ago. */
  choose(addresses: readonly string[]): string | undefined {
    const now = performance.now();
    const usable = addresses.filter(
      (address) => (this.#failed.get(address) ?? Number.NEGATIVE_INFINITY) + failedMs < now,
    );
    const from = usable.length > 0 ? usable : addresses;
    return from[Math.floor(Math.random() * from.length)];
  }

  /** Closes the connections to all other addresses. */
  keep(addresses: ReadonlySet<string>): void {
    for (const address of this.#servers.keys()) if (!addresses.has(address)) this.#remove(address);
    for (const address of this.#failed.keys()) if (!addresses.has(address)) this.#failed.delete(address);
  }

  close(): void {
    this.#unfollow();
    this.#certificate.close();
    this.#forget();
  }

  #open(address: string): RemoteServer {
    return new RemoteServer({
      name: address,
      spec: {
        group: '',
        version: '',
        service: { namespace: 'default', name: 'kubernetes', port: 443 },
        caBundle: Buffer.from(this.#ca).toString('base64'),
        insecureSkipTLSVerify: false,
        groupPriorityMinimum: 0,
        versionPriority: 0,
      },
      resolve: () => address,
      clientCertificate: this.#certificate.current,
      forwardsRedirects: true,
      dial: this.#dial,
      ownHeaders: [proxiedHeader, 'true'],
      hides: this.#hides,
      onFailure: () => void this.#failed.set(address, performance.now()),
    });
  }

  #readAgain(): void {
    try {
      const ca = readAuthorities(this.#caFile);
      if (ca === this.#ca) return;
      this.#ca = ca;
      this.#forget();
    } catch (error) {
      this.#onError('the authorities of peers stay as they were', error);
    }
  }

  #forget(): void {
    for (const address of this.#servers.keys()) this.#remove(address);
  }

  #remove(address: string): void {
    this.#servers.get(address)?.close();
    this.#servers.delete(address);
  }
}

function readAuthorities(file: string): string {
  const pem = readFileSync(file, 'utf8');
  if (!/-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----/.test(pem))
    throw new Error(`--peer-ca-file ${JSON.stringify(file)} has no certificate; give one in PEM`);
  return pem;
}

/**
 * A peer believes this server's headers of identities, under the names that are configured: those of clients are not
 * passed on.
 */
function hiddenHeaders(options: ServerOptions): (name: string) => boolean {
  const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  const names = new Set([
    proxiedHeader,
    ...lower(options.requestheaderUsernameHeaders),
    ...lower(options.requestheaderUidHeaders),
    ...lower(options.requestheaderGroupHeaders),
  ]);
  const prefixes = lower(options.requestheaderExtraHeadersPrefix);
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
