import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { httpAgent, httpsAgent } from '#shared/egress/clients/node-agents.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';

const kept = { keepAlive: true, timeout: 90_000, maxFreeSockets: 25 } as const;
/**
 * Targets are connected to by address, so a certificate could not be verified against a name
 * (controlplane/apiserver/config.go, CreateProxyTransport).
 */
const anyCertificate = { rejectUnauthorized: false } as const;

/** Each is made when it is needed, as one of node:https loads that module. */
interface Agents {
  http?: HttpAgent;
  https?: HttpsAgent;
}

/** The connections to pods, services and ports of nodes that are not their kubelet's. */
export class TargetAgents {
  readonly #dial: EgressDial | undefined;
  readonly #kept: Agents = {};
  readonly #fresh: Agents = {};
  /** Of upgraded connections, each way; 0 for no limit. */
  readonly bytesPerSecond: number;

  /** Without `dial`, connections are direct. */
  constructor(bytesPerSecond = 0, dial?: EgressDial) {
    this.bytesPerSecond = bytesPerSecond;
    this.#dial = dial;
  }

  get isDialed(): boolean {
    return this.#dial !== undefined;
  }

  /** `isRepeatable`: the request can be sent again, so it may use a kept-alive connection. */
  of(scheme: keyof Agents, isRepeatable: boolean): HttpAgent {
    const agents = isRepeatable ? this.#kept : this.#fresh;
    const options = isRepeatable ? kept : {};
    return scheme === 'http'
      ? (agents.http ??= httpAgent(options, this.#dial))
      : (agents.https ??= httpsAgent({ ...options, ...anyCertificate }, this.#dial));
  }
}
