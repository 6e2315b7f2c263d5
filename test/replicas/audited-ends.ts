// Ten thousand writes at two gateways and two cores with one audit log, which both gateways write to and rename when it
// is full. Meanwhile a core is killed, also in the midst of long lists, a core and both gateways are ended by SIGTERM,
// and at the end the whole server:
//   node --import tsx test/replicas/audited-ends.ts [--writes NUMBER] [--mode batch|blocking]
// Each answer has one event of its end in the log, with its code; no request has a stage twice, and no line is torn.
// Writes that got no answer, and lists that broke off, since their core was killed, have an end, too, if a gateway took
// them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { processesOf, untilAllReady, type ProcessName } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { fillLists, haltLists } from './halted-lists.ts';

const { values: flags } = parseArgs({ options: { writes: { type: 'string' }, mode: { type: 'string' } } });
const writes = Number(flags.writes ?? 10_000);
const workers = 8;
const maps = '/api/v1/namespaces/default/configmaps';

const folder = mkdtempSync(join(tmpdir(), 'audited-'));
const policyFile = join(folder, 'policy.yaml');
const rules = [
  { level: 'None', users: ['system:apiserver'] },
  { level: 'Metadata', verbs: ['list'] },
  { level: 'RequestResponse' },
];
writeFileSync(policyFile, JSON.stringify({ kind: 'Policy', apiVersion: 'audit.k8s.io/v1', rules }));
const cluster = await startCluster({
  bundled: true,
  readyWithinMs: 60_000,
  flags: [
    '--gateway-replicas=2',
    '--core-replicas=2',
    `--audit-policy-file=${policyFile}`,
    `--audit-log-path=${join(folder, 'audit.log')}`,
    `--audit-log-mode=${flags.mode ?? 'blocking'}`,
    '--audit-log-maxsize=1',
  ],
});

/** Codes of answers by audit id; 0 where the connection ended without one. */
const answered = new Map<string, number>();
const progress = { sent: 0 };
/** Whether the answers of long lists came whole, by audit id. */
let lists: ReadonlyMap<string, boolean> = new Map();
const listCount = 8;

async function work(connect: () => ApiClient): Promise<void> {
  let client = connect();
  for (let number = progress.sent++; number < writes; number = progress.sent++) {
    const id = `write-${number}`;
    const body = { metadata: { name: id }, data: { text: 'x'.repeat(500) } };
    const answer = await client.send('POST', maps, { body, headers: { 'audit-id': id } }).catch(() => undefined);
    answered.set(id, answer?.status ?? 0);
    if (answer !== undefined) continue;
    // A connection of HTTP/2 does not come back.
    client.close();
    client = connect();
  }
  client.close();
}

/** Ends a process after a part of the writes, and waits until its successor is ready. */
async function endAt(
  part: number,
  name: Exclude<ProcessName, 'store' | 'controllers'>,
  signal: NodeJS.Signals,
): Promise<void> {
  while (progress.sent < writes * part) await sleep(10);
  const [pid = 0] = processesOf(cluster, name);
  console.log(`${signal} to ${name} after ${progress.sent} writes`);
  process.kill(pid, signal);
  await untilAllReady(cluster, name, 2, pid);
}

async function run(): Promise<void> {
  await fillLists(cluster);
  const working = Array.from({ length: workers }, (_, at) =>
    work(() => (at % 2 === 0 ? http1Client(cluster) : http2Client(cluster))),
  );
  const halted = await haltLists(cluster, listCount);
  await endAt(0.1, 'core', 'SIGKILL');
  lists = await halted.finish();
  await endAt(0.3, 'gateway', 'SIGTERM');
  await endAt(0.5, 'core', 'SIGTERM');
  await endAt(0.7, 'gateway', 'SIGTERM');
  await Promise.all(working);
}

interface Logged {
  readonly stages: string[];
  code: number;
}

function readLogs(): Map<string, Logged> {
  const logged = new Map<string, Logged>();
  for (const name of existsSync(folder) ? readdirSync(folder).filter((file) => file.startsWith('audit')) : []) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (line === '') continue;
      const { auditID, stage, responseStatus } = JSON.parse(line) as {
        auditID: string;
        stage: string;
        responseStatus?: { code: number };
      };
      const one = logged.get(auditID) ?? { stages: [], code: 0 };
      one.stages.push(stage);
      if (stage === 'ResponseComplete') one.code = responseStatus?.code ?? 0;
      logged.set(auditID, one);
    }
  }
  return logged;
}

try {
  await run();
  await cluster.close();
  const logged = readLogs();
  const faults: string[] = [];
  for (const id of lists.keys()) {
    const ends = logged.get(id)?.stages.filter((stage) => stage !== 'RequestReceived') ?? [];
    if (ends.length !== 1) faults.push(`${id}: ended by ${ends.join(' ') || 'nothing'}`);
  }
  const broken = [...lists.values()].filter((isWhole) => !isWhole).length;
  if (broken === 0 || broken === lists.size) faults.push(`${broken} of ${lists.size} lists broke off`);
  const files = readdirSync(folder).filter((name) => name.startsWith('audit-')).length;
  if (files < 2) faults.push(`the log was renamed ${files} times`);
  for (const [id, code] of answered) {
    const { stages = [], code: said = 0 } = logged.get(id) ?? {};
    if (new Set(stages).size < stages.length) faults.push(`${id}: twice: ${stages.join(' ')}`);
    if (code !== 0 && (!stages.includes('ResponseComplete') || said !== code))
      faults.push(`${id}: answered ${code}, logged ${said} in ${stages.join(' ')}`);
    if (code === 0 && stages.length === 1) faults.push(`${id}: no answer, and no end`);
  }
  const codes = [...new Set(answered.values())].map(
    (code) => `${code}: ${[...answered.values()].filter((one) => one === code).length}`,
  );
  console.log(
    `${answered.size} writes, ${logged.size} requests logged, answers ${codes.join(', ')}; ${broken} of ${lists.size} lists broke off; ${files + 1} files; ${faults.length} faults`,
  );
  console.log(faults.slice(0, 20).join('\n'));
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
