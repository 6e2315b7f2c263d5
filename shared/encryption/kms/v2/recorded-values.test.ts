import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { EnvelopeMetrics } from '#shared/encryption/kms/plugin/envelope-metrics.ts';
import { SeedKey } from './data-key.ts';
import type { Annotation } from './kms-messages.ts';
import { KmsV2Transformer } from './kms-v2-transformer.ts';
import { PluginProbe } from './plugin-probe.ts';
import { WriteKey } from './write-key.ts';

/** What upstream's envelope read (test/recorders/kms). */
interface RecordedValue {
  readonly name: string;
  readonly stored: string | null;
  readonly key: string;
  readonly secret: string;
  readonly plain?: string;
  readonly stale?: boolean;
  readonly error?: string;
}

interface RecordedAnswer {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
  readonly statusError?: string;
  readonly ciphertext: string | null;
  readonly encryptId: string;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly encryptError?: string;
}

/** What upstream's health check said (test/recorders/kms). */
interface RecordedStatuses {
  readonly name: string;
  readonly answers: readonly RecordedAnswer[];
  readonly health: readonly string[];
}

function recorded<T>(file: string): readonly T[] {
  return JSON.parse(readFileSync(new URL(`testdata/${file}`, import.meta.url), 'utf8')) as readonly T[];
}

function bytesOf(text: string | null | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}

const latestKey = new WriteKey(
  {
    keyId: '1',
    encryptedDekSource: Buffer.of(1),
    annotations: [],
    encryptedDekSourceType: 'HKDF_SHA256_XNONCE_AES_GCM_SEED',
  },
  new SeedKey(Buffer.alloc(32)),
);

async function read({ stored, key, secret }: RecordedValue): Promise<Pick<RecordedValue, 'plain' | 'stale' | 'error'>> {
  const transformer = new KmsV2Transformer({
    name: 'kms',
    client: { decrypt: () => Promise.resolve(bytesOf(secret)) },
    probe: { latestKey, writeKey: latestKey },
    metrics: new EnvelopeMetrics('server'),
  });
  try {
    const { value, isStale } = await transformer.fromStorage(bytesOf(stored), key);
    return { plain: Buffer.from(value).toString('base64'), stale: isStale };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function failed(text: string): Error {
  return new Error(`rpc error: code = Internal desc = ${text}`);
}

async function healthAfter(answers: readonly RecordedAnswer[]): Promise<string[]> {
  let present: RecordedAnswer | undefined;
  let nowMs = 0;
  const annotationsOf = (given: RecordedAnswer['annotations'] = {}): Annotation[] =>
    Object.entries(given).map(([key, value]) => ({ key, value: bytesOf(value) }));
  const probe = new PluginProbe({
    name: 'plugin',
    client: {
      async status() {
        if (present?.statusError !== undefined) throw failed(present.statusError);
        return present as RecordedAnswer;
      },
      async encrypt() {
        const { encryptError, ciphertext, encryptId: keyId, annotations } = present as RecordedAnswer;
        if (encryptError !== undefined) throw failed(encryptError);
        return { ciphertext: bytesOf(ciphertext), keyId, annotations: annotationsOf(annotations) };
      },
    },
    metrics: new EnvelopeMetrics('server'),
    onWriteKey: () => undefined,
    now: () => nowMs,
  });
  const health: string[] = [];
  for (present of answers) {
    nowMs += 3_100;
    await probe.check();
    const text = (await probe.check()) ?? '';
    health.push(text.replace(/uid="[^"]*"/, 'uid="…"').replace(/=(?!0001)\d{4}-\d\d-\d\dT[\d:]+Z/, '=…'));
  }
  return health;
}

describe('KMS v2', () => {
  test('reads and refuses stored values as upstream does', async () => {
    for (const value of recorded<RecordedValue>('values.json')) {
      const { name, plain, stale = false, error } = value;
      assert.deepEqual(await read(value), error === undefined ? { plain, stale } : { error }, name);
    }
  });

  test('says of answers of plugins what upstream says', async () => {
    for (const { name, answers, health } of recorded<RecordedStatuses>('statuses.json'))
      assert.deepEqual(await healthAfter(answers), health, name);
  });
});
