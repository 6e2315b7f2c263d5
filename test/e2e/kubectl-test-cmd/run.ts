// Runs the functions of upstream's test/cmd, scripts that test kubectl with a server, on the reference and on this one:
//   node --import tsx test/e2e/kubectl-test-cmd/run.ts [--only REGEX] [--seconds N] [--keep FOLDER]
// It fails when a function fails here that passes on the reference. The scripts are read from
// $REFERENCE_ROOT/kubernetes.
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { referenceProgram } from '#test/reference.ts';
import { Lane, type Outcome } from './lane.ts';
import { copyScripts, functionsOf } from './scripts-copy.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    /** The limit of one function. */
    seconds: { type: 'string', default: '420' },
    /** Where copies of the scripts and the whole outputs are put. */
    keep: { type: 'string' },
  },
});
const programs = ['kube-apiserver', 'etcd', 'kubectl', 'kube-controller-manager'] as const;
const missing = programs.filter((name) => referenceProgram(name) === undefined);
if (missing.length > 0) throw new Error(`REFERENCE_BIN lacks ${missing.join(', ')}`);
const source = join(process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference'), 'kubernetes');
const chosen = functionsOf(source).filter((name) => new RegExp(values.only).test(name));

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'kubectl-test-cmd-'));
const [reference, quarterdeck] = (['reference', 'quarterdeck'] as const).map(
  (side) => new Lane(side, copyScripts(source, join(folder, side)), Number(values.seconds) * 1000),
) as [Lane, Lane];
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    interrupted = true;
    void Promise.all([reference.close(), quarterdeck.close()]);
  });

const failedHereOnly: string[] = [];
const failedOnBoth: string[] = [];
try {
  for (const name of chosen) {
    const [there, here] = await Promise.all([reference.run(name), quarterdeck.run(name)]);
    if (interrupted) throw new Error('interrupted');
    report(name, there, here);
  }
} finally {
  await Promise.all([reference.close(), quarterdeck.close()]);
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
console.log(
  `${chosen.length} functions: ${failedHereOnly.length} fail here only (${failedHereOnly.join(' ')}), ${failedOnBoth.length} on both sides (${failedOnBoth.join(' ')})`,
);
if (failedHereOnly.length > 0 || chosen.length === 0) process.exitCode = 1;

function report(name: string, there: Outcome, here: Outcome): void {
  if (here.passed) {
    console.log(there.passed ? `passes on both    ${name}` : `passes here only  ${name}\n${lastLines(there)}`);
  } else if (!there.passed) {
    failedOnBoth.push(name);
    console.log(`fails on both     ${name}\n${lastLines(there)}`);
  } else {
    failedHereOnly.push(name);
    console.log(`fails here only   ${name}\n${lastLines(here)}`);
  }
}

/** The end of the function's own output, without what upstream's scripts print after a failure. */
function lastLines({ output }: Outcome): string {
  const end = output.lastIndexOf('+++ exit code:');
  const ownBegins = output.indexOf('Recording: run_') >= 0;
  return output
    .slice(0, ownBegins && end >= 0 ? end : undefined)
    .trimEnd()
    .split('\n')
    .slice(-14)
    .map((line) => `    ${line.slice(0, 300)}`)
    .join('\n');
}
