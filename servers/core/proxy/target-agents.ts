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

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** The connections to pods, services and ports of nodes that are not their kubelet's. */
export class TargetAgents {
  readonly isDialed: boolean;
  readonly #kept: Agents;
  readonly #fresh: Agents;
  /** Of upgraded connections, each way; 0 for no limit. */
  readonly bytesPerSecond: number;

  /** Without `dial`, connections are direct. */
  constructor(bytesPerSecond = 0, dial?: EgressDial) {
    this.bytesPerSecond = bytesPerSecond;
    this.isDialed = dial !== undefined;
    this.#kept = { http: httpAgent(kept, dial), https: httpsAgent({ ...kept, ...anyCertificate }, dial) };
    this.#fresh = { http: httpAgent({}, dial), https: httpsAgent(anyCertificate, dial) };
  }

  /** `isRepeatable`: the request can be sent again, so it may use a kept-alive connection. */
  of(scheme: keyof Agents, isRepeatable: boolean): HttpAgent {
    return (isRepeatable ? this.#kept : this.#fresh)[scheme];
  }
}
