import type { SecureContext } from 'node:tls';
import type { Agent } from 'undici';
import { connectVerified } from '#shared/egress/clients/undici-connector.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { secureContextOf } from './ca-bundle.ts';
import type { WebhookTarget } from './client-config.ts';
import type { WebhookUser } from './webhook-users.ts';

const connectTimeoutMs = 30_000;
const idleMs = 90_000;
/** As many clients as the reference keeps. */
const maxAgents = 200;

/** How webhooks are reached. Default: directly. */
export interface WebhookEgress {
  /** Those behind a Service. */
  readonly service?: EgressDial | undefined;
  /** Those at a URL. */
  readonly url?: EgressDial | undefined;
}

/**
 * The connections to webhooks: one agent for each way to reach a server (name, CA bundle, certificate, protocols), the
 * least recently used are closed.
 */
export class WebhookAgents {
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly #egress: WebhookEgress;

  constructor(egress: WebhookEgress = {}) {
    this.#egress = egress;
  }

  /** @throws WebhookCallError for a CA bundle or a certificate that cannot be used */
  async get(
    { service, serverName, caBundle, offersHttp2 }: WebhookTarget,
    { certificate }: WebhookUser,
  ): Promise<Agent> {
    const pair = certificate === undefined ? [] : [certificate.cert, certificate.key].map(String);
    const network = service === undefined ? 'url' : 'service';
    const key = JSON.stringify([network, serverName, caBundle, offersHttp2, ...pair]);
    let agent = this.#agents.get(key);
    if (agent === undefined)
      agent = openAgent({
        serverName,
        secureContext: secureContextOf(caBundle, certificate),
        offersHttp2,
        dial: this.#egress[network],
      });
    else this.#agents.delete(key);
    this.#agents.set(key, agent);
    if (this.#agents.size > maxAgents) this.#closeOldest();
    return await agent;
  }

  close(): void {
    while (this.#agents.size > 0) this.#closeOldest();
  }

  #closeOldest(): void {
    for (const [key, agent] of this.#agents) {
      this.#agents.delete(key);
      void agent.then((opened) => opened.close()).catch(() => undefined);
      return;
    }
  }
}

interface AgentOptions {
  readonly serverName: string;
  readonly secureContext: SecureContext;
  readonly offersHttp2: boolean;
  readonly dial: EgressDial | undefined;
}

/** undici is loaded for the first call: most processes never call a webhook. */
async function openAgent({ serverName, secureContext, offersHttp2, dial }: AgentOptions): Promise<Agent> {
  const { Agent: HttpAgent, buildConnector } = await import('undici');
  return new HttpAgent({
    connect: connectVerified(
      dial,
      {
        ...(serverName === '' ? {} : { servername: serverName }),
        secureContext,
        timeout: connectTimeoutMs,
        allowH2: offersHttp2,
      },
      { serverName, verifies: true },
      buildConnector,
    ),
    // One call at a time on a connection of HTTP/1.1; calls share one of HTTP/2.
    allowH2: offersHttp2,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
}
