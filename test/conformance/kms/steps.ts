import { createHash } from 'node:crypto';
import { lookAtHealth, lookAtMetrics, lookAtSecrets, said, textsOf, type Seen } from './look.ts';
import type { GoPlugin } from './plugin.ts';
import { secrets, type RunningServer } from './servers.ts';

/** What happens to the plugin, what is awaited of each server, and what of it is looked at. */
export interface Step {
  readonly name: string;
  readonly act: (plugin: GoPlugin) => Promise<void> | void;
  /** The single check of readiness that is awaited and asked, and whether it shall be well. */
  readonly until: 'well' | 'ill' | ((server: RunningServer) => Promise<boolean>);
  readonly look?: 'all' | 'health';
}

/** A key of writes lives three minutes without its plugin. */
const withinMs = 300_000;

/** Plays a step with all servers at once; resolves with what is seen of each. */
export async function play(step: Step, setting: Setting): Promise<Seen[]> {
  await step.act(setting.plugin);
  return Promise.all(setting.servers.map((server) => observe(step, server, setting)));
}

export interface Setting {
  readonly plugin: GoPlugin;
  readonly servers: readonly RunningServer[];
  /** The check of the plugin. */
  readonly check: string;
  /** Secrets that are read in each step. */
  readonly read: readonly string[];
}

async function observe(step: Step, server: RunningServer, { check, read }: Setting): Promise<Seen> {
  const { until } = step;
  await awaited(step.name, server, async () => {
    if (typeof until === 'function') return until(server);
    return ((await server.ask('GET', `/readyz/${check}`)).status === 200) === (until === 'well');
  });
  const seen: Seen = new Map();
  const add = (more: Seen): void => more.forEach((value, name) => seen.set(name, value));
  add(await lookAtHealth(server.ask));
  if (until === 'ill') seen.set('texts', await textsOf(server.ask, check));
  if (step.look === 'health') return seen;
  add(await lookAtSecrets(server.ask, 'x', read));
  seen.set('metrics', await lookAtMetrics(server.ask));
  return seen;
}

export async function awaited(name: string, server: RunningServer, isSo: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > untilMs) {
      const { body } = await server.ask('GET', '/readyz?verbose');
      throw new Error(`${server.name} at "${name}": ${String(body)}\n${server.log().slice(-2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Whether a server writes again, which it does only with a key of the plugin. */
export async function writes({ ask }: RunningServer): Promise<boolean> {
  const answer = await ask('POST', secrets, { metadata: { name: 'probe' }, stringData: { tag: 'x' } });
  if (answer.status === 201) await ask('DELETE', `${secrets}/probe`);
  return said(answer).startsWith('201');
}

/** Whether values are encrypted by the key of an id. */
export async function writesBy(server: RunningServer, keyId: string): Promise<boolean> {
  if (!(await writes(server))) return false;
  const hash = `sha256:${createHash('sha256').update(keyId).digest('hex')}`;
  const { body } = await server.ask('GET', '/metrics');
  const uses = String(body)
    .split('\n')
    .filter((line) => line.startsWith('apiserver_envelope_encryption_key_id_hash_total'));
  return uses.some((line) => line.includes(hash) && line.includes('"to_storage"'));
}
