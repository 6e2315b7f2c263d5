import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { projectRoot } from '#test/quality/source-files.ts';
import type { Suite, UpstreamProgram } from './suite.ts';

/** Where the upstream programs are. */
export const referenceBin =
  process.env['REFERENCE_BIN'] ??
  join(process.env['REFERENCE_ROOT'] ?? join(homedir(), '.cache', 'kubernetes-reference'), 'bin');

const buildScript = resolve(projectRoot, '..', 'shared', 'tools', 'reference', 'build.sh');
const buildable: readonly string[] = [
  'etcd',
  'helm',
  'kbench',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
  'sample-apiserver',
] satisfies UpstreamProgram[];
const ofTheMachine: readonly string[] = ['go', 'openssl', 'prometheus', 'strace'];

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function isThere(name: Suite['needs'][number]): boolean {
  if (ofTheMachine.includes(name)) return isOnPath(name);
  if (name === 'source of the reference') return existsSync(join(referenceBin, '..', 'kubernetes', 'go.mod'));
  return existsSync(join(referenceBin, name));
}

/** What of the needs of a suite is not on this machine. */
export function missingNeeds({ needs }: Suite): readonly string[] {
  return needs.filter((name) => !isThere(name));
}

/** Commands that build what is missing, for upstream programs and where the script for them and Go are there. */
export function buildCommands(missing: ReadonlySet<string>): ReadonlyMap<string, string> {
  if (!existsSync(buildScript) || !isOnPath('go')) return new Map();
  return new Map(
    buildable.filter((name) => missing.has(name)).map((name) => [name, `bash '${buildScript}' ${name} >/dev/null`]),
  );
}
