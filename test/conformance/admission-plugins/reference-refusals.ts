import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { freePort } from '#test/free-port.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import type { Start } from './starts.ts';

/** Longest time from the start of a program to its refusal. */
const patienceMs = 30_000;

/** Writes the files of a start to a folder of its own and returns the flags that name them. */
export function prepareStart(start: Start, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(start.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text.replaceAll('DIR', folder));
  }
  return start.flags.map((flag) => flag.replaceAll('DIR', folder));
}

/**
 * What a program says on standard error when it refuses to start; `started` if it is still there when `isUp` is in its
 * log or when the patience ends.
 */
export async function runToRefusal(command: readonly string[], isUp: RegExp): Promise<string> {
  return (await runToEnd(command, isUp)).said;
}

/** As {@link runToRefusal}, with the exit code; null for a program that was ended by a signal. */
export async function runToEnd(
  command: readonly string[],
  isUp: RegExp,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const [program = '', ...flags] = command;
  const child = spawn(program, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (isUp.test(said)) child.kill('SIGTERM');
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, said };
}

/** Why kube-apiserver refuses each start; `started` where it does not. */
export async function referenceReasons(starts: readonly Start[]): Promise<string[]> {
  const [server, etcdProgram] = [referenceProgram('kube-apiserver'), referenceProgram('etcd')];
  if (server === undefined || etcdProgram === undefined)
    throw new Error('REFERENCE_BIN holds no kube-apiserver with etcd');
  const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
  const pki = pkiPaths(join(folder, 'pki'));
  await ensureServiceAccountKeys(pki);
  const etcd = await startEtcd(etcdProgram, join(folder, 'etcd'));
  const reasons: string[] = [];
  try {
    for (const [index, start] of starts.entries()) {
      const own = join(folder, String(index));
      const said = await runToRefusal(
        [
          server,
          `--etcd-servers=${etcd.url}`,
          `--cert-dir=${join(folder, 'certificates')}`,
          '--bind-address=127.0.0.1',
          `--secure-port=${await freePort()}`,
          '--service-account-issuer=https://kubernetes.default.svc',
          `--service-account-key-file=${pki.serviceAccountPublicKey}`,
          `--service-account-signing-key-file=${pki.serviceAccountKey}`,
          '--service-cluster-ip-range=10.0.0.0/16',
          ...prepareStart(start, own),
        ],
        /Serving securely/,
      );
      reasons.push(referenceReason(said, own));
    }
  } finally {
    await etcd.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return reasons;
}

/** The reason that kube-apiserver gives, from its log. A text of several lines is indented there. */
export function referenceReason(said: string, folder: string): string {
  const line = /"command failed" err="((?:[^"\\]|\\.)*)"/.exec(said)?.[1];
  const lines = /"command failed" err=<\n((?:\t.*\n)+) >/.exec(said)?.[1];
  const reason =
    line !== undefined
      ? (JSON.parse(`"${line}"`) as string)
      : (lines?.replaceAll(/^\t/gm, '').replace(/\n$/, '') ?? /^F.*?\] (.*)$/m.exec(said)?.[1] ?? 'started');
  return reason.replaceAll(folder, 'DIR');
}
