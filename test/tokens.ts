import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the user `admin` in system:masters. */
export const adminToken = 'token-of-admin';
/** Of the user `bob` in the group dev, who may do nothing of himself. */
export const bobToken = 'token-of-bob';

/** Writes a file for `--token-auth-file`; returns its path. */
export function writeTokens(folder: string): string {
  const path = join(folder, 'tokens.csv');
  writeFileSync(path, `${adminToken},admin,u1,"system:masters"\n${bobToken},bob,u2,"dev"\n`, { mode: 0o600 });
  return path;
}
