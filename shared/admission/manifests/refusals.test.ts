import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  configurationErrors,
  readPluginConfigurations,
} from '#shared/admission/configuration/plugin-configurations.ts';
import { flagsWith } from '#shared/admission/testing/admission-flags.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { manifestFolders } from './manifest-folders.ts';
import type { ManifestPlugin } from './manifest-kinds.ts';
import { ManifestSource } from './manifest-source.ts';

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
const compiler = new ConditionCompiler(baseEnvironments(35));

let root: string;
before(() => void (root = mkdtempSync(join(tmpdir(), 'manifests-'))));
after(() => rmSync(root, { recursive: true, force: true }));

/** What this server says about a start, `started` if nothing. */
async function reasonHere({ flags, files }: RecordedStart, folder: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text.replaceAll('DIR', folder));
  }
  const admissionControlConfigFile = join(folder, 'admission.yaml');
  const resolved = flagsWith({ admissionControlConfigFile });
  const readsManifests = flags.some((flag) => flag.startsWith('--feature-gates='));
  const [error] = configurationErrors(resolved, readsManifests);
  if (error !== undefined) return error;
  const folders = manifestFolders(readPluginConfigurations(resolved, readsManifests));
  for (const [plugin, path] of Object.entries(folders)) {
    const source = new ManifestSource(
      {
        plugin: plugin as ManifestPlugin,
        folder: path,
        compilers: () => Promise.resolve({ conditions: () => compiler }),
        compile: (manifests) => Promise.resolve(manifests),
        serverId: 'a',
        report: () => undefined,
        reportError: (message, reason) => assert.fail(`${message}: ${String(reason)}`),
      },
      new Map(),
    );
    try {
      await source.load();
    } catch (reason) {
      return (reason as Error).message;
    } finally {
      source.close();
    }
  }
  return 'started';
}

describe('ManifestSource', () => {
  for (const [index, start] of recorded.entries()) {
    test(`ends the start for the recorded reason: ${start.name}`, async () => {
      const folder = join(root, String(index));
      const said = await reasonHere(start, folder);
      assert.equal(said.replaceAll(folder, 'DIR'), start.reason);
    });
  }
});
