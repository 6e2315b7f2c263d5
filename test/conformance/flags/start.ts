import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { referenceReason, runToEnd } from '#test/conformance/admission-plugins/reference-refusals.ts';
import { freePort } from '#test/free-port.ts';
import { referenceProgram } from '#test/reference.ts';

/** How a start ended. */
export interface Outcome {
  /** Exit code; null for a server that started, and was ended then. */
  readonly code: number | null;
  /** What the reference says, as one text; undefined for a server that started. */
  readonly error?: string | undefined;
  readonly errors: readonly string[];
}

const launcher = join(
  process.env['QUARTERDECK_DIST'] ?? resolve(import.meta.dirname, '../../../dist'),
  'quarterdeck.js',
);

/** @param keys the folder with the keys of service accounts */
export async function startReference(
  flags: readonly string[],
  folder: string,
  etcd: string,
  keys: string,
): Promise<Outcome> {
  const program = referenceProgram('kube-apiserver');
  if (program === undefined) throw new Error('REFERENCE_BIN holds no kube-apiserver');
  const { code, said } = await run(
    program,
    [
      `--etcd-servers=${etcd}`,
      `--cert-dir=${join(keys, 'serving')}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${await freePort()}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${join(keys, 'sa.pub')}`,
      `--service-account-signing-key-file=${join(keys, 'sa.key')}`,
      '--service-cluster-ip-range=10.0.0.0/16',
      ...flags,
    ],
    /Serving securely/,
  );
  if (code === null) return { code, errors: [] };
  const error = referenceError(said, folder);
  return { code, error, errors: [error] };
}

export async function startHere(flags: readonly string[], folder: string): Promise<Outcome> {
  const data = join(folder, 'data');
  const { code, said } = await run(
    process.execPath,
    [
      launcher,
      '--data-dir',
      data,
      `--secure-port=${await freePort()}`,
      '--service-cluster-ip-range=10.0.0.0/16',
      ...flags,
    ],
    /quarterdeck is ready/,
  );
  rmSync(data, { recursive: true, force: true });
  if (code === null) return { code, errors: [] };
  return { code, errors: errorsHere(said).map((text) => withoutFolder(text.replace(/\n$/, ''), folder)) };
}

/** The reasons that the launcher gives, in lines of text or of JSON. */
function errorsHere(said: string): string[] {
  if (said.startsWith('{'))
    return [...said.matchAll(/"err":("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text ?? '""'));
  return said.split(/^(?:error: |quarterdeck: \w+ ended \(code 1\) before it was ready: )/m).slice(1);
}

/** Its code is null for a program that came up, and was ended then. */
async function run(
  program: string,
  flags: readonly string[],
  isUp: RegExp,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const { code, said } = await runToEnd([program, ...flags], isUp);
  const hasStarted = isUp.test(said);
  if (code === null && !hasStarted) throw new Error(`neither started nor refused: ${flags.join(' ')}\n${said}`);
  return { code: hasStarted ? null : code, said };
}

/** A flag that cannot be parsed ends the reference before there is a log: its error is the last line. */
function referenceError(said: string, folder: string): string {
  const reason = referenceReason(said, folder);
  if (reason !== 'started') return reason;
  return withoutFolder(
    said
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^Error: /, '') ?? '',
    folder,
  );
}

function withoutFolder(text: string, folder: string): string {
  return text.replaceAll(folder, 'DIR');
}
