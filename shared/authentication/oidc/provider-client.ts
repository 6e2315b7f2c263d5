import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, getCACertificates, type ConnectionOptions, type SecureContext } from 'node:tls';
import { checkServerNames } from '#shared/egress/certificates/server-names.ts';

/** Opens a connection to a host on another way than directly. */
export type DialProvider = (host: string, port: number) => Promise<Duplex>;

export interface ProviderAnswer {
  readonly status: number;
  /** `200 OK`. */
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ProviderClientOptions {
  /** PEM; empty for the authorities of the system. */
  readonly certificateAuthority: string;
  /** Absent for direct connections, or those by the proxy of the environment (`HTTPS_PROXY`). */
  readonly dial?: DialProvider | undefined;
  /** Default: 30 s, as in the reference. */
  readonly timeoutMs?: number;
}

/** What is asked for documents of a provider. */
export interface Provider {
  /** Rejects with an Error if there is no whole answer. */
  get(address: string, headers?: Readonly<Record<string, string>>): Promise<ProviderAnswer>;
  /** Ends the calls under way. */
  close(): void;
}

/** A key set of 100 keys has 100 KB. */
const maxBytes = 1024 * 1024;
const maxRedirects = 10;

/**
 * Gets documents of an OpenID provider, over TLS only. Each call has a connection of its own, since keys are fetched
 * rarely.
 */
export class ProviderClient implements Provider {
  readonly #secureContext: SecureContext;
  readonly #dial: DialProvider | undefined;
  readonly #agent: Agent;
  readonly #timeoutMs: number;
  readonly #ending = new AbortController();

  constructor({ certificateAuthority, dial, timeoutMs = 30_000 }: ProviderClientOptions) {
    this.#secureContext = createSecureContext({
      ca: certificateAuthority === '' ? getCACertificates('system') : certificateAuthority,
      // A bundle may hold an intermediate authority, or the served certificate itself.
      allowPartialTrustChain: true,
    });
    this.#dial = dial;
    this.#timeoutMs = timeoutMs;
    this.#agent = new Agent({
      keepAlive: false,
      secureContext: this.#secureContext,
      checkServerIdentity: checkServerNames,
      proxyEnv: process.env,
    });
  }

  /** Follows redirects. */
  async get(address: string, headers: Readonly<Record<string, string>> = {}): Promise<ProviderAnswer> {
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(this.#timeoutMs)]);
    let url = secureUrl(address);
    let sent = headers;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#exchange(url, sent, signal);
      const location = answer.status >= 301 && answer.status <= 308 ? answer.headers.location : undefined;
      if (location === undefined) return answer;
      if (redirects === maxRedirects) throw new Error(`Get ${JSON.stringify(address)}: stopped after 10 redirects`);
      const next = secureUrl(location, url);
      // Another host must not get a credential.
      if (next.host !== url.host) sent = {};
      url = next;
    }
  }

  close(): void {
    this.#ending.abort(new Error('context canceled'));
    this.#agent.destroy();
  }

  async #exchange(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ProviderAnswer> {
    try {
      const way = await this.#way(url);
      return await new Promise((resolve, reject) => {
        const sent = request(url, { ...way, headers: { ...headers, 'user-agent': 'kube-apiserver' }, signal });
        sent.on('error', reject);
        sent.on('response', (answer) => void collect(answer).then(resolve, reject));
        sent.end();
      });
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      const message = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`Get ${JSON.stringify(url.href)}: ${message}`, { cause: error });
    }
  }

  async #way({ hostname, port }: URL): Promise<RequestOptions> {
    if (this.#dial === undefined) return { agent: this.#agent };
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = await this.#dial(host, port === '' ? 443 : Number(port));
    const options: ConnectionOptions = {
      socket,
      host,
      servername: isIP(host) === 0 ? host : '',
      secureContext: this.#secureContext,
      checkServerIdentity: checkServerNames,
    };
    return { createConnection: () => connect(options) };
  }
}

async function collect(answer: IncomingMessage): Promise<ProviderAnswer> {
  const { statusCode: status = 0, statusMessage = '', headers } = answer;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status, statusText: `${status} ${statusMessage}`, headers, body: Buffer.concat(chunks).toString('utf8') };
}

/** @throws Error for an address that is not one of HTTPS */
function secureUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base);
  if (url?.protocol !== 'https:')
    throw new Error(`Get ${JSON.stringify(address)}: keys and claims are only taken from https addresses`);
  return url;
}
