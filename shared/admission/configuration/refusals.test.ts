import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { validateAdmissionFlags } from '#shared/admission/admission-flags.ts';
import { flagsWith } from '#shared/admission/testing/admission-flags.ts';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { configurationErrors } from './plugin-configurations.ts';

interface RecordedStart {
  readonly name: string;
  readonly flags: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** Why kube-apiserver ended, or `started`. */
  readonly reason: string;
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/refusals.json', import.meta.url), 'utf8'),
) as readonly RecordedStart[];

let folder: string;
before(() => void (folder = mkdtempSync(join(tmpdir(), 'admission-files-'))));
after(() => rmSync(folder, { recursive: true, force: true }));

/** What this server says about a start, `started` if nothing. */
function reasonHere({ flags, files }: RecordedStart): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text.replaceAll('DIR', folder));
  const given = new Map(
    flags.map((flag): [string, string] => {
      const [, name = '', value = ''] = /^--([a-z-]+)=(.*)$/.exec(flag) ?? [];
      return [name, value.replace('DIR', folder)];
    }),
  );
  const list = (name: string): string[] => given.get(name)?.split(',') ?? [];
  const resolved = flagsWith({
    enableAdmissionPlugins: list('enable-admission-plugins'),
    disableAdmissionPlugins: list('disable-admission-plugins'),
    admissionControl: given.has('admission-control') ? list('admission-control') : null,
    admissionControlConfigFile: given.get('admission-control-config-file') ?? '',
  });
  const inFlags = validateAdmissionFlags(resolved).filter((text) => !text.includes('not available yet'));
  const said = inFlags.length > 0 ? aggregateMessages(inFlags) : (configurationErrors(resolved, false)[0] ?? 'started');
  return said.replaceAll(folder, 'DIR');
}

describe('configurationErrors', () => {
  for (const start of recorded) {
    // Only the plugin knows the rules of tolerations.
    if (start.reason.includes('podtolerationrestriction.default')) continue;
    test(`gives the recorded reason: ${start.name}`, () => assert.equal(reasonHere(start), start.reason));
  }
});
