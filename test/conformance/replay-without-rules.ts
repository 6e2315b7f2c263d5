// The corpus of custom resources with its validation rules (CEL) and conversion webhooks taken out, replayed against this
// server (what `npm run build` made) and the reference beside it, since no answers to it are recorded:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/replay-without-rules.ts FOLDER-OF-THE-REPLAY-TOOL
// Differences are written to REPLAY_REPORTS, a folder, when it is set.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../cluster.ts';
import { startReference } from '../reference.ts';
import { adminToken, writeTokens } from '../tokens.ts';

const [tool = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'without-rules-'));
const corpus = join(folder, '09-crds.jsonl');
const lines = readFileSync(join(tool, 'corpus', '09-crds.jsonl'), 'utf8').split('\n');
writeFileSync(corpus, lines.map((line) => withoutRules(line)).join('\n'));

const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16', '--authorization-mode', 'Node,RBAC', '--service-account-issuer', 'https://kubernetes.default.svc.cluster.local'],
});
const reference = await startReference();
try {
  const argv = [join(tool, 'replay.mjs'), 'diff', '--server', cluster.url, '--token', adminToken, '--against', reference.url, '--against-token', adminToken, '--without', 'managedFields', corpus];
  const report = await run(argv);
  const reports = process.env['REPLAY_REPORTS'];
  if (reports !== undefined) writeFileSync(join(reports, '09-crds-without-rules.txt'), report);
  const [, equal = '0', total = '-1'] = /: (\d+) of (\d+) equal/.exec(report) ?? [];
  if (equal !== total) console.log(report);
  console.log(`custom resources without rules: ${equal} of ${total} answers as the reference's`);
  process.exitCode = equal === total ? 0 : 1;
} finally {
  await cluster.close();
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A line of the corpus without rules in any schema. */
function withoutRules(line: string): string {
  if (!line.startsWith('{')) return line;
  return JSON.stringify(JSON.parse(line, (key, value: unknown) => (key === 'x-kubernetes-validations' ? undefined : value)));
}

/** What a script prints. */
function run(argv: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  return new Promise((resolve) => child.once('close', () => resolve(text)));
}
