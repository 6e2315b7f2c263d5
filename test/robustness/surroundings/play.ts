import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, progressOf } from '#test/e2e/npm-start/process-tree.ts';
import { freePort } from '#test/free-port.ts';
import type { Place, RunningServer, Surrounding } from './surrounding.ts';

export interface PlayOptions {
  /** Path of the bundle that is started. */
  readonly program: string;
  /** For an end by itself, and for whatever else is awaited. */
  readonly withinMs: number;
}

/** What was seen. */
export interface Played {
  /** A few words for the table. */
  readonly seen: string;
  /** Empty if it is what has to be seen. */
  readonly fault: string;
  /** Until the server was ready, or had ended. */
  readonly ms: number;
}

const client = join(import.meta.dirname, 'client.mjs');
const readyWithinMs = 60_000;
const endsWithinMs = 60_000;
const lookEveryMs = 20;
const readyLine = /quarterdeck is ready at \S+ after \d+ ms, KUBECONFIG=([^"\n]+)/;

/** Starts the server in its surrounding, sends requests, and ends it. */
export async function play(row: Surrounding, options: PlayOptions): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-surrounding-'));
  const place = { folder, dataDir: join(folder, 'data'), port: await freePort() };
  let undo: (() => void) | void = undefined;
  try {
    undo = row.prepare?.(place);
    return await new Play(row, place, options).play();
  } finally {
    undo?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One server from its start to its end. */
class Play {
  readonly #row: Surrounding;
  readonly #place: Place;
  readonly #options: PlayOptions;
  readonly #launcher;
  readonly #startedMs = performance.now();
  #text = '';
  /** Undefined while the launcher runs. */
  #code: number | string | undefined;

  constructor(row: Surrounding, place: Place, options: PlayOptions) {
    [this.#row, this.#place, this.#options] = [row, place, options];
    const dataDir = row.dataDir === undefined ? place.dataDir : row.dataDir(place);
    const [command = '', ...argv] = [
      ...(row.wrapper?.(place) ?? []),
      process.execPath,
      options.program,
      '--secure-port',
      String(place.port),
      ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
      ...(row.flags?.(place) ?? []),
    ];
    this.#launcher = spawn(command, argv, {
      cwd: row.workingDirectory?.(place) ?? place.folder,
      env: { ...process.env, ...row.environment?.(place) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#launcher.stdout, this.#launcher.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => (this.#text += more));
    this.#launcher.once('error', (error) => (this.#code = error.message));
    this.#launcher.once('close', (code, signal) => (this.#code ??= code ?? signal ?? ''));
  }

  async play(): Promise<Played> {
    const { outcome } = this.#row;
    const isWaiting =
      outcome === 'waits' && (await this.#until(() => this.#judgeText() === '', this.#options.withinMs));
    if (isWaiting) await this.#row.meanwhile?.(this.#server());
    const limitMs = outcome === 'ends' ? this.#options.withinMs : readyWithinMs;
    const isDone = await this.#until(() => this.#code !== undefined || readyLine.test(this.#text), limitMs);
    const ms = performance.now() - this.#startedMs;
    let fault: string;
    try {
      if (!isDone) fault = `neither ready nor ended within ${limitMs / 1000} s`;
      else if (this.#code !== undefined) fault = outcome === 'ends' ? this.#judgeEnd() : 'it ended';
      else fault = outcome === 'ends' ? 'it got ready' : await this.#judgeServer();
    } finally {
      await this.#end();
    }
    const seen =
      this.#code === undefined || outcome === 'serves' || outcome === 'waits'
        ? 'serves'
        : `ended: ${this.#text.trimEnd()}`;
    return { seen, fault: fault === '' ? '' : `${fault}\n${this.#text.trimEnd()}`, ms };
  }

  /** Sends requests, lets happen what the row wants, and sends requests again. */
  async #judgeServer(): Promise<string> {
    const server = this.#server();
    try {
      await server.request();
      if (this.#row.outcome === 'waits') return this.#judgeText();
      await this.#row.meanwhile?.(server);
      if (this.#row.outcome === 'stops')
        return (await this.#until(() => this.#code !== undefined, this.#options.withinMs))
          ? this.#judgeEnd()
          : `it did not end within ${this.#options.withinMs / 1000} s`;
      if (this.#row.meanwhile !== undefined) await server.request();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return this.#code === undefined ? this.#judgeText() : 'it ended';
  }

  #judgeEnd(): string {
    const lines = this.#text.split('\n').filter((line) => line !== '' && !readyLine.test(line));
    if (this.#code === 0) return 'it ended with code 0';
    return lines.length === 1 ? this.#judgeText() : `it ended with ${lines.length} lines`;
  }

  #judgeText(): string {
    const unsaid = (this.#row.says ?? []).find((part) => !part.test(this.#text));
    if (unsaid !== undefined) return `it does not say ${unsaid}`;
    return this.#row.neverSays?.test(this.#text) === true ? `it says ${this.#row.neverSays}` : '';
  }

  #server(): RunningServer {
    const kubeconfig = readyLine.exec(this.#text)?.[1] ?? '';
    return {
      place: this.#place,
      launcher: this.#launcher,
      kubeconfig,
      output: () => this.#text,
      untilSaid: async (line) => {
        if (!(await this.#until(() => line.test(this.#text), this.#options.withinMs)))
          throw new Error(`it did not say ${line} within ${this.#options.withinMs / 1000} s`);
      },
      request: () => this.#request(kubeconfig),
    };
  }

  #request(kubeconfig: string): Promise<void> {
    const wrapper = this.#row.clientWrapper?.(this.#place, this.#launcher.pid ?? 0) ?? [];
    const [command = '', ...argv] = [...wrapper, process.execPath, client, kubeconfig];
    return new Promise((resolve, reject) => {
      const child = spawn(command, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (more: string) => (text += more));
      child.once('error', reject);
      child.once('close', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`a client failed: ${/^Error: .*$/m.exec(text)?.[0] ?? text}`));
      });
    });
  }

  /** Ends what still runs, gently first. */
  async #end(): Promise<void> {
    if (this.#launcher.pid === undefined) return;
    const processes = descendantsOf(this.#launcher.pid).map(({ pid }) => pid);
    this.#launcher.kill('SIGTERM');
    const areGone = (): boolean => processes.every((pid) => progressOf(pid) === 'ended');
    if (await this.#until(() => this.#code !== undefined && areGone(), endsWithinMs)) return;
    for (const pid of processes.filter((each) => progressOf(each) !== 'ended')) process.kill(pid, 'SIGKILL');
    throw new Error(`it did not end within ${endsWithinMs / 1000} s of SIGTERM:\n${this.#text}`);
  }

  async #until(isSo: () => boolean, limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    while (!isSo()) {
      if (performance.now() > deadline) return false;
      await pause(lookEveryMs);
    }
    return true;
  }
}
