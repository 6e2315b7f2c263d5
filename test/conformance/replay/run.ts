// Replays recorded requests against a freshly started cluster and holds the number of equal answers of each corpus:
//   node --import tsx test/conformance/replay/run.ts [corpus…] [--update]
// Differences are written to REPLAY_REPORTS, a folder, when it is set. The least numbers stand in floor.json and only
// ever grow. `--update` raises them to what was seen.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The recorded answers name this port. */
const port = 26_443;
const corpora = join(import.meta.dirname, 'corpus');
const floorFile = join(import.meta.dirname, 'floor.json');
const tokens = 'tok-admin,admin,u1,"system:masters"\ntok-bob,bob,u2,"dev"\n';

interface Corpus {
  readonly equal: number;
  readonly total: number;
  /** What the tool printed. */
  readonly text: string;
}

/** Starts the product as its users do; resolves with the process once it said that it is ready. */
async function startCluster(folder: string): Promise<ChildProcess> {
  writeFileSync(join(folder, 'tokens.csv'), tokens);
  const flags = [
    `--data-dir=${join(folder, 'data')}`,
    `--secure-port=${port}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    '--service-cluster-ip-range=10.0.0.0/16',
    '--authorization-mode=Node,RBAC',
    '--allow-privileged=true',
    '--enable-aggregator-routing=true',
  ];
  const child = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'slow-clock.ts'), 'dist/quarterdeck.js', ...flags],
    { cwd: resolve(import.meta.dirname, '../../..'), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const output = child.stdout;
  await new Promise<void>((done, fail) => {
    let text = '';
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (/\bready\b/i.test(text)) done();
    });
    child.on('exit', (code) => fail(new Error(`the server ended with ${code ?? 'a signal'}: ${text}`)));
  });
  return child;
}

async function replay(name: string): Promise<Corpus> {
  const folder = mkdtempSync(join(tmpdir(), 'replay-'));
  const server = await startCluster(folder);
  try {
    const argv = [
      join(import.meta.dirname, 'replay.mjs'),
      'check',
      '--server',
      `https://127.0.0.1:${port}`,
      '--token',
      'tok-admin',
      '--golden',
      join(import.meta.dirname, 'gen'),
      join(corpora, `${name}.jsonl`),
    ];
    // Into a file: the tool exits without waiting for a pipe to take what it printed.
    const report = join(process.env['REPLAY_REPORTS'] ?? folder, `${name}.txt`);
    const out = openSync(report, 'w');
    spawnSync(process.execPath, argv, { stdio: ['ignore', out, out] });
    closeSync(out);
    const text = readFileSync(report, 'utf8');
    const counted = /: (\d+) of (\d+) equal/.exec(text);
    if (!counted) throw new Error(`${name}: the replay tool said nothing to count: ${text.slice(-500)}`);
    return { equal: Number(counted[1]), total: Number(counted[2]), text };
  } finally {
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * True when a request for a node port was refused that the recorded server allowed: this server had drawn that port
 * before for a Service that left the choice to it. The corpora ask for ports of the band that the reference draws from,
 * too, so that it happens there as often: once in about a thousand runs.
 */
function drewRequestedPort({ text }: Corpus): boolean {
  return /have "[^\n]*provided port is already allocated/.test(text);
}

const args = process.argv.slice(2);
const update = args.includes('--update');
const chosen = args.filter((argument) => argument !== '--update');
const floor = JSON.parse(readFileSync(floorFile, 'utf8')) as Record<string, number>;
const names = readdirSync(corpora)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -6));

const fallen: string[] = [];
for (const name of names.filter(
  (candidate) => chosen.length === 0 || chosen.some((part) => candidate.startsWith(part)),
)) {
  const least = floor[name] ?? 0;
  let corpus = await replay(name);
  if (corpus.equal < least && drewRequestedPort(corpus)) {
    console.log(`again ${name}: a node port that it asks for had been drawn at random`);
    corpus = await replay(name);
  }
  const { equal, total, text } = corpus;
  const holds = equal >= least;
  const line = `${holds ? 'ok  ' : 'FELL'} ${name}: ${equal} of ${total} equal (at least ${least})`;
  console.log(line);
  if (!holds) fallen.push(`${line}\n${text.slice(0, 4000)}`);
  if (update && equal > least) floor[name] = equal;
}
if (update) writeFileSync(floorFile, `${JSON.stringify(floor, undefined, 2)}\n`);
for (const text of fallen) console.log(`\n${text}`);
process.exitCode = fallen.length > 0 ? 1 : 0;
