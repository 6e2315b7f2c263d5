import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../../../shared/server/metrics/README.md', import.meta.url), 'utf8');

/** The names in the first column of the table of missing families; `*` stands for any rest. */
const patterns = readme
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([a-z0-9_*]+)`/g)].map(([, name = '']) => name))
  .map((name) => new RegExp(`^${name.replace('*', '.*')}$`));

/** Whether the README says why a family of the reference is not here. */
export function isExplained(family: string): boolean {
  return patterns.some((pattern) => pattern.test(family));
}
