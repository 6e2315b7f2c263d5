import { createSecureContext, getCACertificates } from 'node:tls';
import type { Agent } from 'undici';
import type { KubeconfigTarget } from '#shared/configuration/kubeconfig.ts';
import { connectVerified } from '#shared/egress/clients/undici-connector.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';

const connectTimeoutMs = 30_000;
const idleMs = 90_000;
const freshMs = 1000;
/** A webhook that hangs takes no more sockets than these; further calls wait for one until their time is over. */
const maxConnections = 256;

/** A server and the connections to it. */
export interface Connection {
  readonly target: KubeconfigTarget;
  readonly agent: Agent;
}

export interface FreshConnectionOptions {
  /**
   * Reads the kubeconfig and the files that it names.
   * @throws Error if they cannot be used
   */
  readonly read: () => KubeconfigTarget;
  /** Writes to the log why files that changed are not used. */
  readonly reportError: (error: unknown) => void;
  /** How the server is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
}

/**
 * The connections to the server of a kubeconfig. The files are read again before a call, at most once a second, as
 * client-go reads those of certificates. What was in effect stays while they cannot be used: pairs of files are
 * replaced one after the other.
 */
export class FreshConnection {
  readonly #options: FreshConnectionOptions;
  #target: KubeconfigTarget;
  #connection: Promise<Connection> | undefined;
  #readMs = performance.now();
  #lastFault = '';

  /** @throws Error if the files cannot be used */
  constructor(options: FreshConnectionOptions) {
    this.#options = options;
    this.#target = options.read();
  }

  async open(nowMs = performance.now()): Promise<Connection> {
    if (nowMs - this.#readMs >= freshMs) this.#renew(nowMs);
    return await (this.#connection ??= connect(this.#target, this.#options.dial));
  }

  close(): void {
    void this.#connection?.then(({ agent }) => agent.close()).catch(() => undefined);
    this.#connection = undefined;
  }

  #renew(nowMs: number): void {
    this.#readMs = nowMs;
    try {
      const target = this.#options.read();
      this.#lastFault = '';
      if (textOf(target) === textOf(this.#target)) return;
      // Throws where the certificate does not belong to the key.
      secureContextFor(target);
      // Calls that were begun end on the old connections.
      this.close();
      this.#target = target;
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#lastFault) this.#options.reportError(error);
      this.#lastFault = fault;
    }
  }
}

/** Two targets have the same text if they are the same. */
function textOf({ caBundle, user: { certificate, headers }, ...others }: KubeconfigTarget): string {
  return JSON.stringify([others, headers, ...[caBundle, certificate?.cert, certificate?.key].map(String)]);
}

function secureContextFor({ caBundle, user }: KubeconfigTarget): ReturnType<typeof createSecureContext> {
  return createSecureContext({
    ca: caBundle ?? getCACertificates('system'),
    // A bundle may hold an intermediate authority, or the served certificate itself.
    allowPartialTrustChain: true,
    ...user.certificate,
  });
}

/** undici is loaded for the first call: most servers have no such webhook. */
async function connect(target: KubeconfigTarget, dial: EgressDial | undefined): Promise<Connection> {
  const { Agent: HttpAgent, buildConnector } = await import('undici');
  const agent = new HttpAgent({
    connect: connectVerified(
      dial,
      {
        secureContext: secureContextFor(target),
        ...(target.tlsServerName !== '' && { servername: target.tlsServerName }),
        timeout: connectTimeoutMs,
        allowH2: false,
      },
      { serverName: target.tlsServerName, verifies: !target.isInsecure },
      buildConnector,
    ),
    connections: maxConnections,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
  return { target, agent };
}
