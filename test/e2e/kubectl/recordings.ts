import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from './run-scenario.ts';

const path = (version: string): string => join(import.meta.dirname, 'gen', `kubectl-${version}.json`);

/** What this version of kubectl got out of the reference, if that was recorded. */
export function readRecording(version: string): Recording | undefined {
  return existsSync(path(version)) ? (JSON.parse(readFileSync(path(version), 'utf8')) as Recording) : undefined;
}

/** Returns where it was written to. */
export function writeRecording({ kubectl, steps, explain }: Recording): string {
  writeFileSync(path(kubectl), `${JSON.stringify({ kubectl, steps, explain }, undefined, 1)}\n`);
  return path(kubectl);
}
