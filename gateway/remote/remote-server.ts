import { Buffer } from 'node:buffer';
import type { Agent } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { Agent as HttpAgent, Dispatcher } from 'undici';
import type { ApiServiceSpec } from '#gateway/apiservices/api-service.ts';
import { remoteIdentity } from '#shared/authentication/hop-identity.ts';
import { checkServerNames } from '#shared/egress/certificates/server-names.ts';
import type { Verification } from '#shared/egress/certificates/verified-connector.ts';
import { weaknessesOf, type Weakness } from '#shared/egress/certificates/weak-certificates.ts';
import { httpsAgent } from '#shared/egress/clients/node-agents.ts';
import { connectVerified } from '#shared/egress/clients/undici-connector.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { collectAnswer } from '#shared/request/collect-answer.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { ServiceAddress, ServiceReference, ServiceResolver } from '#shared/services/resolve-service.ts';
import type { KeyPair } from './client-certificate.ts';

const connectTimeoutMs = 30_000;
const idleMs = 90_000;
const maxAddresses = 1000;
const none: readonly Weakness[] = [];

export interface RemoteServerOptions {
  /** Name of the APIService. */
  readonly name: string;
  readonly spec: ApiServiceSpec & { readonly service: ServiceReference };
  readonly resolve: ServiceResolver;
  readonly clientCertificate: KeyPair | undefined;
  /** Whether clients get redirects of the server. Default: they get a 502 instead. */
  readonly forwardsRedirects?: boolean;
  /** Names and values in turn of headers that each request carries. Default: none. */
  readonly ownHeaders?: readonly string[];
  /** Whether a client's header with this name, in lower case, is not passed on. Default: all are but identities. */
  readonly hides?: (name: string) => boolean;
  /** How the server is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  /** Called when a request could not reach the server, so that its availability is checked now. */
  readonly onFailure: () => void;
}

/** How the server's certificate is verified, and which client certificate the gateway presents. */
export interface RemoteTls {
  readonly servername: string;
  readonly rejectUnauthorized: boolean;
  readonly checkServerIdentity: typeof checkServerNames;
  readonly secureContext: SecureContext;
}

export interface FetchOptions {
  readonly user: UserInfo;
  readonly headers?: readonly string[];
  readonly timeoutMs: number;
  /** Longer answers are errors. With 0 the body is not read. */
  readonly maxBytes: number;
}

/**
 * The connections to one registered API server, for one state of its APIService's spec; a changed spec gets a new
 * RemoteServer. HTTP/1.1 with a connection for each concurrent request, so that a stalled or aborted one does not
 * affect others.
 */
export class RemoteServer {
  readonly name: string;
  readonly spec: RemoteServerOptions['spec'];
  readonly onFailure: () => void;
  readonly forwardsRedirects: boolean;
  readonly ownHeaders: readonly string[];
  readonly hides: ((name: string) => boolean) | undefined;
  readonly tls: RemoteTls | undefined;
  /** What `node:https` takes for an upgrade. */
  readonly upgradeAgent: Agent | false = false;
  /**
   * Why no connection is possible: the CA bundle or the gateway's own certificate is unusable. `tls` is absent then.
   */
  readonly problem: string | undefined;
  readonly #resolve: ServiceResolver;
  readonly #agent: Promise<HttpAgent> | undefined;
  /** What was outdated in the certificates of the last connection to an address, where something was. */
  readonly #weaknesses = new Map<string, readonly Weakness[]>();

  constructor({
    name,
    spec,
    resolve,
    clientCertificate,
    forwardsRedirects = false,
    ownHeaders = [],
    hides,
    dial,
    onFailure,
  }: RemoteServerOptions) {
    this.name = name;
    this.forwardsRedirects = forwardsRedirects;
    this.ownHeaders = ownHeaders;
    this.hides = hides;
    this.spec = spec;
    this.onFailure = onFailure;
    this.#resolve = resolve;
    const secureContext = secureContextOf(spec, clientCertificate);
    if (typeof secureContext === 'string') {
      this.problem = secureContext;
      return;
    }
    this.tls = {
      servername: `${spec.service.name}.${spec.service.namespace}.svc`,
      rejectUnauthorized: !spec.insecureSkipTLSVerify,
      checkServerIdentity: checkServerNames,
      secureContext,
    };
    this.#agent = openAgent(this.tls, dial, (host, socket) => this.#noteWeaknesses(host, socket));
    // Of upgrades each has a connection of its own.
    this.upgradeAgent = dial === undefined ? false : httpsAgent({ ...this.tls }, dial);
  }

  /** @throws Error with the reference's message if the Service has no address */
  address(): ServiceAddress {
    return this.#resolve(this.spec.service);
  }

  /** Sends a request. Rejects with the error if the request itself is invalid. */
  async dispatch(
    address: ServiceAddress,
    request: Omit<Dispatcher.DispatchOptions, 'origin'>,
    handler: Dispatcher.DispatchHandler,
  ): Promise<void> {
    if (this.#agent === undefined) throw new Error(this.problem);
    (await this.#agent).dispatch({ ...request, origin: `https://${address}` }, handler);
  }

  /** Sends the gateway's own GET. Rejects with the reference's message if there is no complete answer in time. */
  async fetch(
    address: ServiceAddress,
    path: string,
    { user, headers = [], timeoutMs, maxBytes }: FetchOptions,
  ): Promise<CollectedAnswer> {
    return await collectAnswer({
      limits: { timeoutMs, maxBytes },
      timeoutMessage: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      address,
      dispatch: (handler) =>
        this.dispatch(address, { path, method: 'GET', headers: [...headers, ...remoteIdentity(user)] }, handler),
    });
  }

  /** What is outdated in the certificates with which the server at this address answers. */
  weaknessesAt(address: ServiceAddress): readonly Weakness[] {
    if (this.#weaknesses.size === 0) return none;
    return this.#weaknesses.get(new URL(`https://${address}`).host) ?? none;
  }

  #noteWeaknesses(host: string, socket: TLSSocket): void {
    const found = weaknessesOf(socket);
    this.#weaknesses.delete(host);
    if (found.length > 0) this.#weaknesses.set(host, found);
    if (this.#weaknesses.size > maxAddresses)
      for (const oldest of this.#weaknesses.keys()) return void this.#weaknesses.delete(oldest);
  }

  /** Closes the connections after their current requests. */
  close(): void {
    void this.#agent?.then((agent) => agent.close()).catch(() => undefined);
  }
}

/**
 * undici is loaded for the first registered server: most gateways have none, and loading it takes a sixth of a start.
 */
async function openAgent(
  { rejectUnauthorized: verifies, ...tls }: RemoteTls,
  dial: EgressDial | undefined,
  onConnected: Verification['onConnected'],
): Promise<HttpAgent> {
  const { Agent: RemoteAgent, buildConnector } = await import('undici');
  return new RemoteAgent({
    connect: connectVerified(
      dial,
      { ...tls, timeout: connectTimeoutMs, allowH2: false },
      { serverName: tls.servername, verifies, onConnected },
      buildConnector,
    ),
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
}

/** Creates the TLS context; returns the reference's error message if that fails. */
function secureContextOf(
  { caBundle, insecureSkipTLSVerify }: ApiServiceSpec,
  clientCertificate: KeyPair | undefined,
): SecureContext | string {
  const pem = Buffer.from(caBundle, 'base64').toString('utf8');
  if (caBundle !== '' && !insecureSkipTLSVerify && !/-----BEGIN [A-Z ]+-----[^]*-----END [A-Z ]+-----/.test(pem)) {
    return 'unable to load root certificates: unable to parse bytes as PEM block';
  }
  try {
    return createSecureContext({
      // A bundle may hold an intermediate authority, or the served certificate itself.
      allowPartialTrustChain: true,
      ...(insecureSkipTLSVerify ? {} : { ca: caBundle === '' ? getCACertificates('system') : pem }),
      ...clientCertificate,
    });
  } catch (error) {
    return `unable to load root certificates: ${error instanceof Error ? error.message : String(error)}`;
  }
}
