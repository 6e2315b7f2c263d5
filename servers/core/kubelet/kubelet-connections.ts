import { Agent } from 'node:https';
import { createSecureContext, type ConnectionOptions } from 'node:tls';
import { numberAt, stringsAt } from '../../../shared/apimachinery/object.ts';
import { newNotFound } from '../../../shared/apimachinery/status.ts';
import type { RequestContext } from '../../../shared/request/request-context.ts';
import { ReloadedFiles } from '../../../shared/process/link/reloaded-files.ts';
import type { ServerOptions } from '../../../shared/server/options/server-options.ts';
import type { CoreContext } from '../context/core-context.ts';
import { joinHostPort, nodeAddress } from './node-address.ts';

/** Where the kubelet of a node listens. */
export interface KubeletEndpoint {
  readonly scheme: 'https';
  readonly hostname: string;
  readonly port: number;
  /** `hostname:port`, as it stands in an address. */
  readonly authority: string;
  /** Features that the kubelet says it has (`status.declaredFeatures`). */
  readonly declaredFeatures: readonly string[];
}

type KubeletOptions = Pick<
  ServerOptions,
  | 'kubeletCertificateAuthority'
  | 'kubeletClientCertificate'
  | 'kubeletClientKey'
  | 'kubeletPreferredAddressTypes'
  | 'kubeletPort'
>;

/**
 * The way to the kubelets (pkg/kubelet/client): where each of them is, by its Node, and by which certificates the two
 * know each other. The files are read when first wanted, and again when they change: connections that are made
 * afterwards use them.
 */
export class KubeletConnections {
  readonly #options: KubeletOptions;
  readonly #core: CoreContext;
  readonly #reportError: (message: string, error: unknown) => void;
  readonly #agents = new Map<boolean, Agent>();
  #upgradeAgent: Agent | undefined;
  #authorities: ReloadedFiles<'ca'> | undefined;
  #pair: ReloadedFiles<'cert' | 'key'> | undefined;

  /** `reportError` is called when a certificate file becomes unusable. */
  constructor(options: KubeletOptions, core: CoreContext, reportError: (message: string, error: unknown) => void) {
    this.#options = options;
    this.#core = core;
    this.#reportError = reportError;
  }

  /**
   * Throws 404 for a node that is not there (named after the resource of the request, as by the reference), and 500 for
   * one without an address of a preferred type.
   */
  async find(context: RequestContext, nodeName: string): Promise<KubeletEndpoint> {
    const nodes = this.#core.store('', 'nodes');
    await nodes.cache.waitForCurrent();
    const entry = nodes.cache.get(nodes.key('', nodeName));
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
   * For requests by node:https; it keeps connections. Without authorities of kubelets, or with `skipVerify`, their
   * certificates are not verified. Throws when a file cannot be read.
   */
  agent(skipVerify = false): Agent {
    const known = this.#agents.get(skipVerify);
    if (known !== undefined) return known;
    const agent = new Agent({
      ...this.#tls(skipVerify),
      keepAlive: true,
      scheduling: 'lifo',
      maxFreeSockets: 32,
      timeout: idleMs,
      ...buffers,
    });
    this.#agents.set(skipVerify, agent);
    return agent;
  }

  /**
   * For connections that become another protocol, each of its own: they have one TLS context, and resume each other's
   * sessions. Throws when a file cannot be read.
   */
  upgradeAgent(): Agent {
    return (this.#upgradeAgent ??= new Agent({ ...this.#tls(false), keepAlive: false }));
  }

  #tls(skipVerify: boolean): ConnectionOptions {
    const { kubeletCertificateAuthority: ca, kubeletClientCertificate: cert, kubeletClientKey: key } = this.#options;
    if (cert !== '' && key !== '') this.#pair ??= this.#follow(new ReloadedFiles({ cert, key }, this.#told));
    if (ca !== '') this.#authorities ??= this.#follow(new ReloadedFiles({ ca }, this.#told));
    const own = this.#pair?.current ?? {};
    const verifies = !skipVerify && this.#authorities !== undefined;
    // Made once: certificates and key are parsed for each connection otherwise.
    const secureContext = createSecureContext(verifies ? { ...own, ca: this.#authorities?.current.ca } : own);
    return { secureContext, rejectUnauthorized: verifies };
  }

  close(): void {
    this.#authorities?.close();
    this.#pair?.close();
    this.#forgetAgents();
  }

  readonly #told = (error: Error): void =>
    this.#reportError('a certificate for connections to kubelets cannot be used, the last one stays', error);

  #follow<Files extends { onChange(listener: () => void): void }>(files: Files): Files {
    files.onChange(() => this.#forgetAgents());
    return files;
  }

  /** Requests under way end on the connections that they have. */
  #forgetAgents(): void {
    for (const agent of this.#agents.values()) closeIdle(agent);
    this.#agents.clear();
    this.#upgradeAgent = undefined;
  }
}

/** How long a connection without a request is kept. */
const idleMs = 90_000;

/**
 * How much of an answer waits in the connection, and again in the answer, for a client that does not take it: many
 * followers of logs may stall. Node's types of agents do not have it.
 */
const buffers = { highWaterMark: 16 * 1024 };

function closeIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}
