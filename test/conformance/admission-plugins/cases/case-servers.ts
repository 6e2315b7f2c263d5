import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import type { WebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { adminToken } from '#test/integration/admission/tokens.ts';
import { referenceProgram, startEtcd, startReference, type ReferenceServer } from '#test/reference.ts';
import { caseFlags, type Run } from './case-flags.ts';
import { playCases, prepareCases, type CaseAnswers, type CaseTarget } from './play-cases.ts';
import type { PluginCase } from './plugin-case.ts';

type Side = 'reference' | 'here';
export type Compare = (what: string, expected: unknown, found: unknown) => void;

/** A kube-apiserver that may not write its Lease tries it for ever and does not end by SIGTERM. */
async function killFirst(reference: ReferenceServer): Promise<void> {
  const [pid] = reference.pids;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  await reference.close();
}

export interface CaseServersOptions {
  readonly folder: string;
  readonly plugins: readonly string[];
  readonly reviewer: string;
  readonly caFile: string;
  readonly webhooks: WebhookServer;
}

/** Starts both servers for one run after the other. */
export class CaseServers {
  readonly #options: CaseServersOptions;
  #etcd: Awaited<ReturnType<typeof startEtcd>> | undefined;

  constructor(options: CaseServersOptions) {
    this.#options = options;
  }

  /** Compares the answers of both servers, and returns those of this one. */
  async answers(run: Run, cases: readonly PluginCase[], compare: Compare): Promise<CaseAnswers> {
    const [expected, found] = await Promise.all([this.#play('reference', run, cases), this.#play('here', run, cases)]);
    for (const [key, answer] of expected) compare(`${key} (plugins: ${run})`, answer, found.get(key));
    return found;
  }

  async close(): Promise<void> {
    await this.#etcd?.close();
  }

  async #play(side: Side, run: Run, cases: readonly PluginCase[]): Promise<CaseAnswers> {
    const server = await this.#start(side, run);
    const target: CaseTarget = {
      url: server.url,
      token: adminToken,
      replacements: {
        '@webhooks': `https://127.0.0.1:${this.#options.webhooks.port}/${side}`,
        '@bundle': this.#options.webhooks.caBundle,
        '@certificate': Buffer.from(this.#options.webhooks.caBundle, 'base64').toString(),
      },
    };
    try {
      // AlwaysDeny would refuse them; they are there from the run before.
      const given = run === 'with AlwaysDeny' ? [] : await prepareCases(target, cases);
      for (const [key, { code, message }] of given)
        if (code >= 400) throw new Error(`${side}: ${key} (plugins: ${run}): ${code} ${message}`);
      return new Map([...given, ...(await playCases(target, cases))]);
    } finally {
      await server.close();
    }
  }

  async #start(side: Side, run: Run): Promise<{ readonly url: string; close(): Promise<void> }> {
    const { folder, webhooks: _, ...options } = this.#options;
    const flags = caseFlags({ ...options, folder: join(folder, side, run), run });
    const isKept = run === 'none' || run === 'with AlwaysDeny';
    if (side === 'here')
      return startCluster({
        flags: [...flags, '--allow-privileged=true'],
        ...(isKept ? { dataDir: join(folder, 'data') } : {}),
      });
    if (!isKept) return startReference({ flags });
    this.#etcd ??= await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
    const reference = await startReference({ flags, etcdUrl: this.#etcd.url });
    return run === 'none' ? reference : { url: reference.url, close: () => killFirst(reference) };
  }
}
