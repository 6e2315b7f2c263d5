// Every flag of the servers is read somewhere: one that nothing reads would be taken and do nothing. Run by `npm run
// check`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagName } from '../../shared/server/options/flag-set.ts';
import { serverFlags } from '../../shared/server/options/server-options.ts';
import { isTest } from './imports/graph.ts';
import { projectRoot, sourceFiles } from './source-files.ts';

/** The tables that declare flags. */
const declares = /^shared\/server\/options\/[\w-]+-flags\.ts$/;

/** Flags that kube-apiserver takes without any effect, too, with the upstream file that shows it. */
const withoutEffect: ReadonlyMap<string, string> = new Map([
  ['kubeletTimeout', 'pkg/kubelet/client/kubelet_client.go: HTTPTimeout is set and read nowhere'],
  ['kubeletReadOnlyPort', 'pkg/kubelet/client/kubelet_client.go: ReadOnlyPort is set and read nowhere'],
]);

const identifiers = new Set<string>();
for (const file of sourceFiles()) {
  if (isTest(file) || declares.test(file)) continue;
  for (const [name] of readFileSync(join(projectRoot, file), 'utf8').matchAll(/\b[a-z]\w*\b/g)) identifiers.add(name);
}
const keys = Object.keys(serverFlags);
const problems = [
  ...keys
    .filter((key) => !identifiers.has(key) && !withoutEffect.has(key))
    .map((key) => `--${flagName(key)} is declared, and nothing reads it`),
  ...[...withoutEffect.keys()]
    .filter((key) => identifiers.has(key) || !keys.includes(key))
    .map((key) => `--${flagName(key)} is listed as one without effect, and is read or not declared`),
];
for (const problem of problems) console.error(problem);
console.log(`flags: ${keys.length}, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
