import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { flagName, helpFlag, type Flag } from './flag-set.ts';
import { serverFlags, serverHelp } from './server-options.ts';

interface RecordedFlag {
  readonly section: string;
  readonly name: string;
  readonly short?: string;
  readonly type: string;
  readonly default?: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/flags.json', import.meta.url), 'utf8'),
) as readonly RecordedFlag[];
const declared = new Map(
  (Object.entries({ ...serverFlags, help: helpFlag }) as [string, Flag<unknown>][]).map(([key, flag]) => [
    flagName(key),
    flag,
  ]),
);

/** Defaults that differ on purpose: what the reference leaves out, a server of this product has. */
const ownDefaults = new Set(['authorization-mode', 'cert-dir', 'etcd-servers']);

describe('flags of the reference', () => {
  for (const { section, name, short, type, default: initial } of recorded)
    test(`are declared alike: --${name}`, () => {
      const flag = declared.get(name);
      assert.ok(flag !== undefined);
      const found = { section: flag.section, short: flag.shorthand, type: flag.kind.typeName };
      assert.deepEqual(found, { section, short, type });
      if (!ownDefaults.has(name)) assert.equal(flag.kind.format(flag.default), initial ?? '');
    });
});

describe('serverHelp', () => {
  test('has the sections of the reference in their order, and one of its own', () => {
    const sections = [...serverHelp(undefined).matchAll(/^(\S.*) flags:$/gm)].map(([, section]) => section);
    assert.deepEqual(
      sections.filter((section) => section !== 'Quarterdeck'),
      [...new Set(recorded.map(({ section }) => section))],
    );
  });

  test('is wrapped to the terminal', () => {
    const help = serverHelp(80);
    const flagLines = help.slice(help.indexOf('Generic flags:')).split('\n');
    assert.deepEqual(
      flagLines.filter((text) => text.length > 80 && text.trim().includes(' ')),
      [],
    );
  });
});
