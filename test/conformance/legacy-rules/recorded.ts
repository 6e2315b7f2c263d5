import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RecordedCase } from './rule-case.ts';

const file = new URL('testdata/recorded.json.gz', import.meta.url);

/** What the reference answered to every case, by the case's name. */
export function readRecorded(): ReadonlyMap<string, RecordedCase> {
  const cases = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as readonly RecordedCase[];
  return new Map(cases.map((one) => [one.name, one]));
}

export function writeRecorded(cases: readonly RecordedCase[]): void {
  writeFileSync(file, gzipSync(JSON.stringify(cases), { level: 9 }));
}
