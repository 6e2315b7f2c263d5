import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentFor } from '#test/e2e/package/packed.ts';

/** A run may take so long on a busy machine; one that hangs is found all the same. */
const endsWithinMs = 180_000;
const pollMs = 50;

/** A runner, started by an npm script of a sample, in a process group of its own. */
export interface Runner {
  /** What it printed so far. */
  output(): string;
  /** Resolves when its output has `text` so many times; rejects when it ends or takes too long. */
  printed(text: RegExp, times: number): Promise<void>;
  /** Signals the group, as Ctrl-C in a terminal does. */
  signal(name: NodeJS.Signals): void;
  /** Resolves with its code, or with undefined when it had to be killed. */
  readonly ended: Promise<number | null | undefined>;
}

export function startRunner(cwd: string, npmScript: string): Runner {
  const child: ChildProcess = spawn('npm', ['run', npmScript], {
    cwd,
    env: { ...environmentFor(process.execPath), NO_COLOR: '1' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (more: string) => (text += more));
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid as number), name);
    } catch {
      // It has ended.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    signal('SIGKILL');
  }, endsWithinMs);
  const ended = new Promise<number | null | undefined>((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve(isLate ? undefined : code);
    }),
  );
  return {
    output: () => text,
    async printed(wanted, times) {
      const all = new RegExp(wanted, 'g');
      while ((text.match(all) ?? []).length < times) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended:\n${text}`);
        await sleep(pollMs);
      }
    },
    signal,
    ended,
  };
}

/** The folders of the hosts that test files noted. */
export function hostsOf(notes: string): readonly string[] {
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n') : [];
  return [...new Set(lines.filter((line) => line.startsWith('/')).map((kubeconfig) => dirname(dirname(kubeconfig))))];
}

/** Resolves when nothing of the hosts is left; rejects when they stay. */
export async function hostsGone(notes: string): Promise<void> {
  const deadline = performance.now() + endsWithinMs;
  while (hostsOf(notes).some((folder) => existsSync(folder))) {
    if (performance.now() > deadline) throw new Error(`left: ${hostsOf(notes).join(' ')}`);
    await sleep(pollMs);
  }
}
