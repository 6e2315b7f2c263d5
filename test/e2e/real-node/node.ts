import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processTree } from '#test/benchmark/processes.ts';

export interface Outcome {
  readonly code: number | string;
  /** Text, or the size and hash of what is long. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly input?: Buffer | string;
  /** What goes on is ended then, and its exit code is not told. */
  readonly endAfterMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const longest = 4096;
const withinMs = 60_000;
const readyWithinMs = 240_000;

/** A real node with its API server in namespaces of their own. */
export interface RealNode {
  /** Runs a command inside, as administrator. */
  run(command: readonly string[], options?: CommandOptions): Promise<Outcome>;
  /** Starts a command inside that goes on until the node ends. */
  start(command: readonly string[]): void;
  /** Processes of the API server and of its storage. */
  serverPids(): number[];
  close(): Promise<void>;
}

/** Starts a node by the script `up.sh` of `tools` on the reference or on this project (`folder`). */
export async function startRealNode(tools: string, folder: string | undefined): Promise<RealNode> {
  const up = spawn(join(tools, 'up.sh'), folder === undefined ? ['reference'] : ['project', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const enter = join(await folderOf(up), 'enter');
  const started: ChildProcess[] = [];
  return {
    run: async (command, options = {}) => await outcomeOf(enter, command, options),
    start: (command) => void started.push(spawn(enter, command, { stdio: 'ignore' })),
    serverPids: () => processTree(up.pid ?? 0).filter(isServer),
    async close() {
      for (const each of started) each.kill();
      up.kill('SIGTERM');
      if (up.exitCode === null) await once(up, 'close');
    },
  };
}

function isServer(pid: number): boolean {
  const [program = '', script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return /\/(?:kube-apiserver|etcd)$/.test(program) || (program.endsWith('/node') && script !== '');
}

/** The last line of the script says where the node's files are. */
async function folderOf(up: ChildProcess): Promise<string> {
  let text = '';
  const timer = setTimeout(() => up.kill('SIGTERM'), readyWithinMs);
  try {
    return await new Promise((resolve, reject) => {
      for (const stream of [up.stdout, up.stderr])
        stream?.on('data', (chunk: Buffer) => {
          text += String(chunk);
          const ready = /^ready: (\S+)\/enter /m.exec(text)?.[1];
          if (ready !== undefined) resolve(ready);
        });
      up.once('close', () => reject(new Error(`the node did not start: ${text.slice(-2000)}`)));
    });
  } finally {
    clearTimeout(timer);
  }
}

async function outcomeOf(
  enter: string,
  command: readonly string[],
  { input, endAfterMs = withinMs, env }: CommandOptions,
): Promise<Outcome> {
  // Of a group of its own: what the command started ends with it.
  const child = spawn(enter, command, { stdio: 'pipe', detached: true, env: { ...process.env, ...env } });
  const timer = setTimeout(() => endGroup(child), endAfterMs);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return {
    code: code ?? (endAfterMs < withinMs ? 'ended' : 'STILL RUNNING'),
    stdout: await stdout,
    stderr: withoutTimes(await stderr),
  };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length <= longest
    ? bytes.toString('utf8')
    : `${bytes.length} bytes, sha1 ${createHash('sha1').update(bytes).digest('hex')}`;
}

/**
 * Without what differs from run to run: lines of klog say when, by which process and where; containerd numbers what it
 * runs; pods get addresses in the order of their start. kubectl 1.32 may meet the first empty message before it
 * listens.
 */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/^([EIW])\d{4} [\d:.]+ +\d+ \S+/gm, '$1')
    .replaceAll(/^E Unknown stream id \d, discarding message\n/gm, '')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'ID')
    .replaceAll(/\b10\.244\.0\.\d+\b/g, 'ADDRESS');
}
