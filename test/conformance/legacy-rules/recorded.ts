import { readFileSync, writeFileSync } from 'node:fs';
import type { RecordedCase } from './rule-case.ts';

const file = new URL('gen/recorded.jsonl', import.meta.url);

/** What the reference answered to every case, by the case's name. */
export function readRecorded(): ReadonlyMap<string, RecordedCase> {
  const cases = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase);
  return new Map(cases.map((one) => [one.name, one]));
}

export function writeRecorded(cases: readonly RecordedCase[]): void {
  writeFileSync(file, `${cases.map((one) => JSON.stringify(one)).join('\n')}\n`);
}
