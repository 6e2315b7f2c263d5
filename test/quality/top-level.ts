// The top level is a short list: the parts of the product, its tests, how to run it, and what tools demand.
import type { Rule } from './rule.ts';

/** Files without a dot in front that a tool looks for at the top. */
const demanded = ['package-lock.json', 'LICENSE'];
const parts = ['package.json', 'tsconfig.json', 'gateway', 'servers', 'shared', 'test', 'compose.yaml', 'README.md'];
const listed: ReadonlySet<string> = new Set([...parts, ...demanded]);

export const topLevel: Rule = {
  check({ files }) {
    const names = new Set(files.map((file) => file.split('/')[0] ?? ''));
    const problems = [
      ...[...names]
        .filter((name) => !listed.has(name) && !name.startsWith('.'))
        .map((name) => `${name}: the top level has ${[...listed].join(', ')} and dot files only`),
      ...[...listed].filter((name) => !names.has(name)).map((name) => `${name}: missing at the top level`),
    ];
    return { problems, summary: `${names.size} names` };
  },
};
