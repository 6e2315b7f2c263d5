import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Chains of certificates, and what Go says of them; test/recorders/certificates records them. */
export interface RecordedChain {
  readonly name: string;
  /** DER, the client's own certificate first. */
  readonly sent: readonly Buffer[];
  readonly roots: readonly Buffer[];
  readonly user?: { readonly name: string; readonly uid: string; readonly groups: readonly string[] };
  /** Go's error; undefined for a chain that it accepts. */
  readonly refused?: string;
}

const path = join(import.meta.dirname, '../../../test/robustness/attacks/identity/certificates/gen/chains.json');

type Encoded = Omit<RecordedChain, 'sent' | 'roots'> & { readonly sent: string[]; readonly roots: string[] };

export const recordedChains: readonly RecordedChain[] = (JSON.parse(readFileSync(path, 'utf8')) as Encoded[]).map(
  ({ sent, roots, ...rest }) => ({
    ...rest,
    sent: sent.map((der) => Buffer.from(der, 'base64')),
    roots: roots.map((der) => Buffer.from(der, 'base64')),
  }),
);

/** @throws Error for a name that was not recorded */
export function recordedChain(name: string): RecordedChain {
  const found = recordedChains.find((chain) => chain.name === name);
  if (found === undefined) throw new Error(`no recorded chain "${name}"`);
  return found;
}
