import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import type { OpenedKms } from './providers/opened-providers.ts';

/** A health check of KMS providers. */
export interface KmsCheck {
  readonly name: string;
  /** What is wrong; undefined for nothing. */
  readonly check: () => Promise<string | undefined>;
}

/**
 * The checks of KMS providers (LoadEncryptionConfig of apiserver's encryptionconfig): a single one of all where the
 * file is followed or all are of v2, one of each otherwise, none without KMS. `kms` is what is in effect.
 */
export function kmsChecks(kms: () => readonly OpenedKms[], isReloaded: boolean): KmsCheck[] {
  const atStart = kms();
  if (isReloaded || (atStart.length > 0 && atStart.every(({ apiVersion }) => apiVersion === 'v2')))
    return [{ name: 'kms-providers', check: () => faultsOf(kms()) }];
  return atStart.map(({ provider }, at) => ({
    name: `kms-provider-${at}`,
    check: async () => provider.health?.(),
  }));
}

/** What is wrong with any of them, one after the other. */
export async function faultsOf(kms: readonly OpenedKms[]): Promise<string | undefined> {
  const faults: string[] = [];
  for (const [at, { provider }] of kms.entries()) {
    const fault = await provider.health?.();
    if (fault !== undefined) faults.push(`kms-provider-${at}: ${fault}`);
  }
  return faults.length === 0 ? undefined : aggregateMessages(faults);
}

/**
 * How long transformers are used after others came into effect: calls of plugins that began before end in this time,
 * and new plugins have to be healthy within it.
 */
export function graceMs(kms: readonly OpenedKms[]): number {
  // A check of v1 encrypts and decrypts.
  return kms.reduce((sum, { apiVersion, timeoutMs }) => sum + 2 * timeoutMs * (apiVersion === 'v1' ? 2 : 1), 0);
}
