import { readFileSync } from 'node:fs';

/** An EncryptionConfiguration, and what the reference says of it (test/recorders/encryption). */
export interface RecordedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isReloaded: boolean;
  readonly error?: string;
  /** What it wrote of {@link recordedPlain} at {@link recordedKey}; undefined for a KMS. */
  readonly stored?: Uint8Array;
  /** What the files say of the stored value. */
  readonly readings: readonly RecordedReading[];
}

export interface RecordedReading {
  /** The name of a file. */
  readonly by: string;
  readonly plain?: string;
  readonly stale?: boolean;
  readonly error?: string;
}

export const recordedKey = '/registry/configmaps/default/a';
export const recordedPlain = Buffer.from('k8s\0plain text of an object');

export function recordedFiles(): RecordedFile[] {
  const files = readJson('files.json') as { name: string; text: string; reload?: boolean }[];
  const recorded = readJson('gen/recorded.json') as { error?: string; stored?: string; readings?: RecordedReading[] }[];
  return files.map(({ name, text, reload = false }, at) => {
    const { error, stored, readings = [] } = recorded[at] ?? {};
    return {
      name,
      bytes: Buffer.from(text),
      isReloaded: reload,
      readings,
      ...(error !== undefined && { error }),
      ...(stored !== undefined && { stored: Buffer.from(stored, 'base64') }),
    };
  });
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../configuration/testdata/${path}`, import.meta.url), 'utf8'));
}
