import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { adminToken, bobToken } from '#test/tokens.ts';

const tokens = [
  `${adminToken},admin,u1,"system:masters"`,
  `${bobToken},bob,u2,"dev"`,
  'tok-admin,admin,u1,"system:masters"',
  'tok-bob,bob,u2,"dev"',
].join('\n');

/** One of the servers with its log. */
export interface Logged {
  readonly side: Side;
  readonly log: string;
}

/** Both servers with the same audit policy. */
export interface AuditedPair {
  readonly ours: Logged;
  readonly theirs: Logged;
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** Logs are kept where the environment has `KEEP_LOGS`. */
export async function startAudited(policy: JsonObject, flags: readonly string[] = []): Promise<AuditedPair> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const common = [
    `--token-auth-file=${file('tokens.csv', `${tokens}\n`)}`,
    `--audit-policy-file=${file('policy.yaml', JSON.stringify(policy))}`,
    '--enable-aggregator-routing=true',
    ...flags,
  ];
  const logs = { ours: join(folder, 'ours.log'), theirs: join(folder, 'theirs.log') };
  const [ours, theirs] = await Promise.all([
    startOurs({ flags: [...common, `--audit-log-path=${logs.ours}`, '--kubelet-certificate-authority='] }),
    startTheirs([...common, `--audit-log-path=${logs.theirs}`]),
  ]);
  return {
    ours: { side: ours, log: logs.ours },
    theirs: { side: theirs, log: logs.theirs },
    folder,
    async close() {
      await Promise.all([ours.close(), theirs.close()]);
      if (process.env['KEEP_LOGS'] === undefined) rmSync(folder, { recursive: true, force: true });
      else console.log(`logs: ${folder}`);
    },
  };
}
