// Facts are generated: whoever changes the generator or its sources runs test/recorders/facts/generate.sh, and nobody
// changes shared/api/gen by hand. Both would show against the digests that generate.sh leaves; with Go,
// test/recorders/facts/check.sh generates anew and compares for certain.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Rule } from './rule.ts';
import { projectRoot } from './source-files.ts';

const recorders = join(projectRoot, 'test', 'recorders');
const generator = join(recorders, 'facts');
const facts = join(projectRoot, 'shared', 'api', 'gen');
const manifestFile = join(generator, 'manifest.json');

export const factsFreshness: Rule = {
  check() {
    const digests = digestsOfFacts();
    const expected = new Map(Object.entries(JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, string>));
    const changed = [...new Set([...expected.keys(), ...digests.keys()])].filter(
      (file) => expected.get(file) !== digests.get(file),
    );
    return {
      problems: changed.map((file) => `${file}: not as test/recorders/facts/generate.sh left it; run that`),
      summary: `${digests.size} sources and generated files`,
    };
  },
  write() {
    writeFileSync(manifestFile, `${JSON.stringify(Object.fromEntries(digestsOfFacts()), undefined, 1)}\n`);
  },
};

/** Of what the facts are made from, and of the facts. */
function digestsOfFacts(): ReadonlyMap<string, string> {
  return new Map(
    [...sources(), ...generated()]
      .map((file) => [relative(projectRoot, file), digest(file)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** What the facts are made from. record.ts only makes recorded.json, and the scripts say nothing about the outcome. */
function sources(): string[] {
  return [
    ...readdirSync(generator)
      .filter((name) => name.endsWith('.go') || name === 'recorded.json')
      .map((name) => join(generator, name)),
    join(recorders, 'go.mod'),
    join(recorders, 'go.sum'),
  ];
}

function generated(): string[] {
  return readdirSync(facts, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 24);
}
