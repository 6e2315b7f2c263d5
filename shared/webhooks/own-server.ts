import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { connect as connectNet, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { Agent, buildConnector } from 'undici';
import type { ServiceAddress } from '#shared/services/resolve-service.ts';
import type { WebhookUser } from './webhook-users.ts';

/** The Service of this cluster's own API server, as webhooks name it. */
export const ownHostPort = 'kubernetes.default.svc:443';
const serverName = 'kubernetes.default.svc';

const connectWithinMs = 3_000;
const idleMs = 90_000;

/** A gateway on another machine takes the servers' own user from a front proxy's certificate. */
export interface DistantGateways {
  /** Their current addresses. */
  readonly addresses: () => Promise<readonly ServiceAddress[]>;
  readonly certFile: string;
  readonly keyFile: string;
  /** The certificate that they serve, and the authority that may have issued it. */
  readonly servingCertFile: string;
  readonly caFile: string;
}

export interface OwnServerOptions {
  /** The internal socket of a gateway on this machine; those of others lie beside it (`gateway-2.sock`). */
  readonly socket: string;
  /** The headers that tell a gateway the servers' own user. */
  readonly headers: WebhookUser['headers'];
  /** For a machine without a gateway. */
  readonly distant: DistantGateways;
}

/**
 * This cluster's own API server, called as the servers' own user: through a gateway, since admission and conversion run
 * in the servers behind it.
 */
export class OwnServer {
  readonly #options: OwnServerOptions;
  #agent: Promise<Agent> | undefined;

  constructor(options: OwnServerOptions) {
    this.#options = options;
  }

  async open(): Promise<{ readonly agent: Agent; readonly user: WebhookUser }> {
    this.#agent ??= this.#openAgent();
    return { agent: await this.#agent, user: { headers: this.#options.headers } };
  }

  close(): void {
    void this.#agent?.then((agent) => agent.close()).catch(() => undefined);
  }

  /** Connects to a gateway on this machine, or to one on another. Rejects with the error of the last one. */
  async connect(): Promise<Socket> {
    let last: unknown;
    for await (const dial of this.#dials()) {
      try {
        return await dial();
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** Others are looked for only where the nearer ones are away. */
  async *#dials(): AsyncGenerator<() => Promise<Socket>> {
    const { socket, distant } = this.#options;
    yield () => connectLocal(socket);
    for (const path of await othersBeside(socket)) yield () => connectLocal(path);
    for (const address of await distant.addresses()) yield () => connectDistant(address, distant);
  }

  async #connectFor(callback: buildConnector.Callback): Promise<void> {
    let socket: Socket;
    try {
      socket = await this.connect();
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    callback(null, socket);
  }

  async #openAgent(): Promise<Agent> {
    const { Agent: HttpAgent } = await import('undici');
    return new HttpAgent({
      connect: (_options, callback) => void this.#connectFor(callback),
      allowH2: false,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
    });
  }
}

async function othersBeside(socket: string): Promise<string[]> {
  const name = basename(socket).replace(/(?:-\d+)?\.sock$/, '');
  const pattern = new RegExp(`^${name}(?:-\\d+)?\\.sock$`);
  const names = await readdir(dirname(socket)).catch(() => []);
  return names
    .filter((other) => other !== basename(socket) && pattern.test(other))
    .map((other) => join(dirname(socket), other));
}

function connectLocal(path: string): Promise<Socket> {
  return established(connectNet({ path }), 'connect');
}

async function connectDistant(address: ServiceAddress, distant: DistantGateways): Promise<Socket> {
  const [cert, key] = await Promise.all([readFile(distant.certFile), readFile(distant.keyFile)]);
  const [serving, ca] = await Promise.all([readIfThere(distant.servingCertFile), readIfThere(distant.caFile)]);
  const served = serving === undefined ? undefined : new X509Certificate(serving).raw;
  const at = address.lastIndexOf(':');
  const socket = connectTls({
    host: address.slice(0, at).replace(/^\[|\]$/g, ''),
    port: Number(address.slice(at + 1)),
    servername: serverName,
    ca: [serving, ca].filter((pem) => pem !== undefined),
    // The served certificate itself is trusted, whoever issued it, and whatever names it has.
    allowPartialTrustChain: true,
    checkServerIdentity: (name, peer) =>
      served?.equals(peer.raw) === true ? undefined : checkServerIdentity(name, peer),
    cert,
    key,
    ALPNProtocols: ['http/1.1'],
  });
  return await established(socket, 'secureConnect');
}

function readIfThere(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch(() => undefined);
}

function established(socket: Socket, event: 'connect' | 'secureConnect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(new Error('i/o timeout')), connectWithinMs);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
    socket.once('close', () => clearTimeout(timer));
  });
}
