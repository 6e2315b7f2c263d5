import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { printFamilies } from '#shared/observability/exposition/testing/print-families.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import { ConfigurationError } from './decode-configuration.ts';
import { registerReloadMetrics } from './reload-metrics.ts';
import { ReloadedConfiguration } from './reloaded-configuration.ts';

let folder: string;
let file: string;
let inEffect: string;
const events: string[] = [];
const waiting: (() => void)[] = [];
let followed: ReloadedConfiguration;
let metrics: MetricsRegistry;

function note(event: string): void {
  events.push(event);
  for (const resume of waiting.splice(0)) resume();
}

async function event(wanted: string): Promise<void> {
  while (!events.includes(wanted)) await new Promise<void>((resolve) => waiting.push(resolve));
}

function replace(text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reloaded-'));
  file = join(folder, 'configuration.yaml');
  inEffect = 'first';
  events.length = 0;
  metrics = new MetricsRegistry();
  writeFileSync(file, inEffect);
  const count = registerReloadMetrics(metrics, 'authorization', 'id', Buffer.from(inEffect));
  followed = new ReloadedConfiguration({
    file,
    applied: Buffer.from(inEffect),
    apply: (bytes) => {
      const text = Buffer.from(bytes).toString();
      if (text.startsWith('wrong')) throw new ConfigurationError(`${text}: not usable`);
      const isNew = text.trim() !== inEffect;
      inEffect = text.trim();
      note(`applied ${JSON.stringify(text)}`);
      return isNew;
    },
    onReload: count,
    reportError: (_message, error) => note((error as Error).message),
  });
});

afterEach(async () => {
  await followed.close();
  rmSync(folder, { recursive: true });
});

test('ReloadedConfiguration: a file that is replaced comes into effect and is counted', async () => {
  replace('second');
  await event('applied "second"');
  await followed.close();
  assert.equal(inEffect, 'second');
  assert.match(
    printFamilies(metrics.families()),
    /reloads_total\{apiserver_id_hash="sha256:\w{64}",status="success"\} 1\n/,
  );
});

test('ReloadedConfiguration: contents that are wrong are kept out and counted as a failure', async () => {
  replace('wrong one');
  await event('wrong one: not usable');
  assert.equal(inEffect, 'first');
  assert.match(
    printFamilies(metrics.families()),
    /reloads_total\{apiserver_id_hash="sha256:\w{64}",status="failure"\} 1\n/,
  );
});

test('ReloadedConfiguration: contents after wrong ones come into effect', async () => {
  replace('wrong one');
  await event('wrong one: not usable');
  replace('third');
  await event('applied "third"');
  assert.equal(inEffect, 'third');
});

test('ReloadedConfiguration: a file that is gone leaves what is in effect', async () => {
  rmSync(file);
  await event(`open ${file}: no such file or directory`);
  assert.equal(inEffect, 'first');
});

test('ReloadedConfiguration: contents of the same meaning are not counted', async () => {
  replace('first\n');
  await event('applied "first\\n"');
  await followed.close();
  assert.doesNotMatch(printFamilies(metrics.families()), /reloads_total\{/);
});
