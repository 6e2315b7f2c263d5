import type { SecureContext } from 'node:tls';
import type { Agent } from 'undici';
import { secureContextOf } from './ca-bundle.ts';
import type { WebhookTarget } from './client-config.ts';

const connectTimeoutMs = 30_000;
const idleMs = 90_000;
/** As many clients as the reference keeps. */
const maxAgents = 200;

/** The connections to webhooks: one agent for each server name and CA bundle, the least recently used are closed. */
export class WebhookAgents {
  readonly #agents = new Map<string, Promise<Agent>>();

  /** @throws WebhookCallError for a CA bundle that cannot be used */
  async get({ serverName, caBundle }: WebhookTarget): Promise<Agent> {
    const key = JSON.stringify([serverName, caBundle]);
    let agent = this.#agents.get(key);
    if (agent === undefined) agent = openAgent(serverName, secureContextOf(caBundle));
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

/** undici is loaded for the first call: most processes never call a webhook. */
async function openAgent(serverName: string, secureContext: SecureContext): Promise<Agent> {
  const { Agent: HttpAgent } = await import('undici');
  return new HttpAgent({
    connect: { ...(serverName === '' ? {} : { servername: serverName }), secureContext, timeout: connectTimeoutMs },
    allowH2: false,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
}
