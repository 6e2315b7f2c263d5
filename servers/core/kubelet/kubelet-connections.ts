import type { Agent } from 'node:https';
import { createSecureContext, type ConnectionOptions } from 'node:tls';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import { numberAt, stringsAt } from '#shared/apimachinery/object.ts';
import { httpsAgent } from '#shared/egress/clients/node-agents.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import { waitToRead } from '#shared/registry/cached-read-span.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { joinHostPort, nodeAddress } from './node-address.ts';

/** Where the kubelet of a node listens. */
export interface KubeletEndpoint {
  readonly scheme: 'https';
  readonly hostname: string;
  readonly port: number;
  /** `hostname:port`, as in a URL. */
  readonly authority: string;
  /** Features that the kubelet declares (`status.declaredFeatures`). */
  readonly declaredFeatures: readonly string[];
}

type KubeletOptions = Pick<
  ServerOptions,
  | 'kubeletCertificateAuthority'
  | 'kubeletClientCertificate'
  | 'kubeletClientKey'
  | 'kubeletPreferredAddressTypes'
  | 'kubeletPort'
  | 'maxConnectionBytesPerSec'
>;

/**
 * Connects to kubelets (pkg/kubelet/client): finds the address of a kubelet from its Node, and sets up the certificates
 * for TLS. The files are read at the first use, and again when they change; new connections then use them.
 */
export class KubeletConnections {
  readonly #options: KubeletOptions;
  readonly #core: CoreContext;
  readonly #reportError: (message: string, error: unknown) => void;
  readonly #dial: EgressDial | undefined;
  readonly #agents = new Map<boolean, Agent>();
  #upgradeAgent: Agent | undefined;
  #authorities: ReloadedFiles<'ca'> | undefined;
  #pair: ReloadedFiles<'cert' | 'key'> | undefined;

  /**
   * `reportError` is called when a certificate file becomes unusable. `dial` reaches kubelets; without it, connections
   * are direct.
   */
  constructor(
    options: KubeletOptions,
    core: CoreContext,
    reportError: (message: string, error: unknown) => void,
    dial?: EgressDial,
  ) {
    this.#dial = dial;
    this.#options = options;
    this.#core = core;
    this.#reportError = reportError;
  }

  /** Of upgraded connections, each way; 0 for no limit. */
  get bytesPerSecond(): number {
    return this.#options.maxConnectionBytesPerSec;
  }

  /** Whether connections are made by a proxy of the egress selector. */
  get isDialed(): boolean {
    return this.#dial !== undefined;
  }

  /**
   * Throws 404 for a node that does not exist (with the resource of the request in its Status, as in the reference),
   * and 500 for a node without an address of a preferred type.
   */
  async find(context: RequestContext, nodeName: string): Promise<KubeletEndpoint> {
    const nodes = this.#core.store('', 'nodes');
    const key = nodes.key('', nodeName);
    await waitToRead(nodes.cache, key);
    const entry = nodes.cache.get(key);
    if (entry === undefined)
      throw newNotFound({ group: context.info.apiGroup, resource: context.info.resource }, nodeName);
    const node = nodes.parse(entry);
    const hostname = nodeAddress(node, this.#options.kubeletPreferredAddressTypes);
    const reported = numberAt(node, 'status', 'daemonEndpoints', 'kubeletEndpoint', 'Port') ?? 0;
    const port = reported > 0 ? reported : this.#options.kubeletPort;
    return {
      scheme: 'https',
      hostname,
      port,
      authority: joinHostPort(hostname, port),
      declaredFeatures: stringsAt(node, 'status', 'declaredFeatures'),
    };
  }

  /**
   * The agent for requests with node:https; it keeps connections alive. Without a CA for kubelets, or with
   * `skipVerify`, their certificates are not verified. Throws when a file cannot be read.
   */
  agent(skipVerify = false): Agent {
    const known = this.#agents.get(skipVerify);
    if (known !== undefined) return known;
    const agent = httpsAgent(
      {
        ...this.#tls(skipVerify),
        keepAlive: true,
        scheduling: 'lifo',
        maxFreeSockets: 32,
        timeout: idleMs,
        ...buffers,
      },
      this.#dial,
    );
    this.#agents.set(skipVerify, agent);
    return agent;
  }

  /**
   * The agent for upgrade requests, each of which gets a new connection. The connections share a TLS context and can
   * resume each other's TLS sessions. Throws when a file cannot be read.
   */
  upgradeAgent(): Agent {
    return (this.#upgradeAgent ??= httpsAgent({ ...this.#tls(false), keepAlive: false }, this.#dial));
  }

  #tls(skipVerify: boolean): ConnectionOptions {
    const { kubeletCertificateAuthority: ca, kubeletClientCertificate: cert, kubeletClientKey: key } = this.#options;
    if (cert !== '' && key !== '')
      this.#pair ??= this.#follow(new ReloadedFiles({ cert, key }, this.#reportReloadError));
    if (ca !== '') this.#authorities ??= this.#follow(new ReloadedFiles({ ca }, this.#reportReloadError));
    const own = this.#pair?.current ?? {};
    const verifies = !skipVerify && this.#authorities !== undefined;
    // Created once for all connections of an agent; otherwise certificates and key are parsed for each connection.
    // The file may hold an intermediate authority, or certificates that kubelets serve.
    const secureContext = createSecureContext(
      verifies ? { ...own, ca: this.#authorities?.current.ca, allowPartialTrustChain: true } : own,
    );
    return { secureContext, rejectUnauthorized: verifies };
  }

  close(): void {
    this.#authorities?.close();
    this.#pair?.close();
    this.#forgetAgents();
  }

  readonly #reportReloadError = (error: Error): void =>
    this.#reportError('a certificate for connections to kubelets cannot be used, the last one stays', error);

  #follow<Files extends { onChange(listener: () => void): void }>(files: Files): Files {
    files.onChange(() => this.#forgetAgents());
    return files;
  }

  /** New requests get new agents; pending requests end on their present connections. */
  #forgetAgents(): void {
    for (const agent of this.#agents.values()) closeIdle(agent);
    this.#agents.clear();
    this.#upgradeAgent = undefined;
  }
}

/** How long an idle connection is kept. */
const idleMs = 90_000;

/**
 * How much of a response is buffered in the connection, and again in the response, for a client that does not read it.
 * It is small because many clients that follow logs may stall. Node's types of agents do not declare this option.
 */
const buffers = { highWaterMark: 16 * 1024 };

function closeIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
