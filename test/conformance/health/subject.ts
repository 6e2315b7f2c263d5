import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureCertificates, ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from '#test/free-port.ts';
import { startProgram } from '#test/program.ts';
import { sharedFlags } from '#test/reference-flags.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, bobToken, writeTokens } from '#test/tokens.ts';
import { ask, type Answer } from './ask.ts';

export type Kind = 'ours' | 'reference';

/** A server under test, which is not ready necessarily. */
export interface Subject {
  readonly kind: Kind;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  ask(path: string, user?: User, method?: string): Promise<Answer>;
  /** Asks until an answer is as wanted; rejects when none is in time. */
  until(path: string, isSo: (answer: Answer) => boolean): Promise<Answer>;
  signal(): void;
  /** Ends it at once, and its processes. */
  end(): Promise<void>;
}

export type User = 'admin' | 'bob' | 'nobody';

const tokens: Readonly<Record<User, string | undefined>> = { admin: adminToken, bob: bobToken, nobody: undefined };
const bundle = join(process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '../../../dist'), 'quarterdeck.js');
const withinMs = 60_000;
const everyMs = 50;
const secondSignalAfterMs = 1_100;

/** Starts a server with its files in a folder, and waits until it answers at /livez, whatever it says. */
export async function startSubject(
  kind: Kind,
  folder: string,
  etcdUrl: string,
  flags: readonly string[],
): Promise<Subject> {
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  ensureCertificates(pki, ['localhost', '127.0.0.1', '10.0.0.1']);
  const port = await freePort();
  const url = `https://127.0.0.1:${port}`;
  const log = join(folder, `${kind}.log`);
  const child = startProgram(
    kind === 'ours' ? process.execPath : (referenceProgram('kube-apiserver') ?? 'kube-apiserver'),
    [
      ...(kind === 'ours' ? [bundle, '--data-dir', join(folder, 'data')] : []),
      ...sharedFlags({ pki, tokens: writeTokens(folder), etcdUrl, port }),
      '--authorization-mode=RBAC',
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      ...flags,
    ],
    log,
  );
  const subject: Subject = {
    kind,
    ended: child.ended,
    ask: (path, user = 'admin', method = 'GET') =>
      ask(url + path, tokens[user], method).catch((error: unknown) => {
        throw new Error(`${kind} ${path}: ${String(error)}\n${logEnd(log)}`);
      }),
    async until(path, isSo) {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const answer = await subject.ask(path);
        if (isSo(answer)) return answer;
        if (performance.now() > deadline)
          throw new Error(`${kind}: ${path} stays ${answer.status} ${answer.text}\n${logEnd(log)}`);
        await sleep(everyMs);
      }
    },
    signal: () => void process.kill(child.pid, 'SIGTERM'),
    async end() {
      // A second signal ends either at once; here it must follow a second later.
      void child.close();
      await Promise.race([child.ended, sleep(secondSignalAfterMs, undefined, { ref: false })]);
      await child.close();
    },
  };
  try {
    await child.until(async () => (await subject.ask('/livez')).status > 0);
  } catch (error) {
    await subject.end();
    throw error;
  }
  return subject;
}

function logEnd(log: string): string {
  return readFileSync(log, 'utf8').slice(-200_000);
}
