import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { lastUsedLabel, LegacyTokenUses } from './legacy-token-uses.ts';

const nowMs = Date.parse('2026-05-31T23:00:00Z');

/** The days that are written for a secret whose label names a day, and what is reported. */
async function noted(last: string | undefined, fault?: Error): Promise<{ days: unknown[]; reports: string[] }> {
  const [days, reports]: [unknown[], string[]] = [[], []];
  const uses = new LegacyTokenUses((message) => reports.push(message));
  const labels = last === undefined ? {} : { labels: { [lastUsedLabel]: last } };
  const secret = asKubeObject({ metadata: { name: 's', namespace: 'n', ...labels } });
  await uses.note(secret, nowMs);
  uses.writeBy((_secret, written) => {
    days.push(written[lastUsedLabel]);
    return fault === undefined ? Promise.resolve() : Promise.reject(fault);
  });
  await uses.note(secret, nowMs);
  return { days, reports };
}

describe('LegacyTokenUses', () => {
  test('writes the day of a use, unless it or the next day is there', async () => {
    assert.deepEqual((await noted(undefined)).days, ['2026-05-31']);
    assert.deepEqual((await noted('2026-05-30')).days, ['2026-05-31']);
    assert.deepEqual((await noted('2026-05-31')).days, []);
    assert.deepEqual((await noted('2026-06-01')).days, []);
  });

  test('reports a label that could not be written, and goes on', async () => {
    const { reports } = await noted(undefined, new Error('no'));
    assert.deepEqual(reports, ['Failed to label legacy service account token n/s with last-used date']);
  });
});
