import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { sendJson, serverAt, type Exchange } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { Files } from './files.ts';
import type { Asking } from './requests.ts';
import type { Asked, Reviewer, SideName } from './reviewer.ts';

/** What one of the servers answers, and asks webhooks before. */
export interface Outcome {
  readonly answer: ReturnType<typeof normalForm>;
  readonly asked: readonly Asked[];
}

/** One of the two servers. */
export interface Side {
  readonly files: Files;
  send(asking: Asking): Promise<Outcome>;
  /** The lines of `/metrics` that count decisions, calls and reloads. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

export interface SideOptions {
  readonly folder: string;
  readonly reviewer: Reviewer;
  readonly address: string;
  readonly caFile: string;
  /** Writes files, and returns the flags of authorization that name them. */
  readonly prepare: (files: Files) => readonly string[];
}

export async function startSide(
  name: SideName,
  { folder, reviewer, address, caFile, prepare }: SideOptions,
): Promise<Side> {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const files = new Files(own, name, address, caFile);
  const authorization = prepare(files);
  const server =
    name === 'reference'
      ? await startReference({ authorization })
      : await startCluster({
          bundled: true,
          flags: ['--token-auth-file', writeTokens(own), '--service-cluster-ip-range=10.0.0.0/16', ...authorization],
        });
  const tokens = new Map<string, ReturnType<typeof serverAt>>();
  const sendPlain = async ({ method = 'GET', path, token = adminToken, body, headers }: Asking): Promise<Exchange> => {
    let sender = tokens.get(token);
    if (sender === undefined) tokens.set(token, (sender = serverAt(server.url, token)));
    return await sendJson(sender, method, path, body, headers);
  };
  return {
    files,
    async send(asking) {
      reviewer.take(name);
      const exchange = await sendPlain(asking);
      return { answer: sameForBoth(normalForm(exchange, false), name), asked: reviewer.take(name) };
    },
    async metrics() {
      const { body } = await sendPlain({ name: 'metrics', path: '/metrics' });
      return countsIn(String(body));
    },
    close: () => server.close(),
  };
}

/**
 * Paths of webhooks and ports differ between the servers. Which of two timers ends a call is chance in the reference,
 * and so is the text.
 */
function sameForBoth<T>(value: T, name: SideName): T {
  const text = JSON.stringify(value)
    .replaceAll(new RegExp(`(127\\.0\\.0\\.1:\\d+)/${name}/`, 'g'), '$1/side/')
    .replaceAll(/read tcp [\d.:]+-(?:>|&gt;)[\d.:]+: /g, '')
    .replaceAll(
      /(?:context deadline exceeded|net\/http: request canceled) \(Client\.Timeout exceeded while awaiting headers\)/g,
      timedOut,
    );
  return JSON.parse(text, sortedRules) as T;
}

/** The reference lists the rules of a user in the order of a map. */
function sortedRules(key: string, value: unknown): unknown {
  if (!['resourceRules', 'nonResourceRules'].includes(key) || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const timedOut = 'context deadline exceeded';

const families = [
  'decisions_total',
  'webhook_[a-z_]+_total',
  'webhook_duration_seconds_count',
  'match_condition_[a-z_]+_total',
  'match_condition_evaluation_seconds_count',
  'config_controller_automatic_reloads_total',
];
const counted = new RegExp(`^(apiserver_authorization_(?:${families.join('|')})\\{[^}]*\\}) (\\d+)$`, 'gm');

function countsIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, name = '', count] of text.matchAll(counted))
    counts.set(name.replace(/apiserver_id_hash="[^"]*",/, ''), Number(count));
  return counts;
}
