import { formatGroupResource, type GroupResource } from '#shared/apimachinery/gvk.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { decodeEncryption, OtherKindError } from './decode-encryption.ts';
import type { EncryptionConfiguration } from './encryption-configuration.ts';
import { parseGroupResource, encryptionRuleText } from './group-resource.ts';
import { validateEncryption } from './validate-encryption.ts';

const kmsV1Refused =
  'KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.';

export interface LoadEncryptionOptions {
  /** For texts. */
  readonly path: string;
  /** Whether the file is followed. */
  readonly isReloaded: boolean;
  /** The feature gate `KMSv1`. */
  readonly allowsKmsV1: boolean;
}

/**
 * Reads and validates the contents of an EncryptionConfiguration.
 * @throws ConfigurationError with all causes, in the reference's words
 */
export function loadEncryption(
  bytes: Uint8Array,
  { path, isReloaded, allowsKmsV1 }: LoadEncryptionOptions,
): EncryptionConfiguration {
  if (bytes.length === 0)
    throw parseFailure(`error while loading file: encryption provider configuration file ${goQuote(path)} is empty`);
  const configuration = decoded(bytes, path);
  const faults = validateEncryption(configuration, isReloaded);
  if (faults !== '') throw parseFailure(faults);
  const fault = ruleFault(configuration, allowsKmsV1);
  if (fault !== undefined) throw new ConfigurationError(`error while building transformers: ${fault}`);
  return configuration;
}

function decoded(bytes: Uint8Array, path: string): EncryptionConfiguration {
  try {
    return decodeEncryption(bytes);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const file = `error decoding encryption provider configuration file ${goQuote(path)}`;
    throw parseFailure(error instanceof OtherKindError ? error.message : `${file}: ${error.message}`);
  }
}

function parseFailure(reason: string): ConfigurationError {
  return new ConfigurationError(`error while parsing file: ${reason}`);
}

/** What is wrong with entries beside those before them. */
function ruleFault({ resources }: EncryptionConfiguration, allowsKmsV1: boolean): string | undefined {
  const earlier = new Set<string>();
  for (const entry of resources) {
    if (!allowsKmsV1 && entry.providers.some(({ kms }) => kms?.apiVersion === 'v1')) return kmsV1Refused;
    for (const rule of entry.resources.map(parseGroupResource)) {
      const mask = masksOf(rule).find((one) => earlier.has(formatGroupResource(one)));
      if (mask !== undefined)
        return `resource ${goQuote(encryptionRuleText(rule))} is masked by earlier rule ${goQuote(encryptionRuleText(mask))}`;
      earlier.add(formatGroupResource(rule));
    }
  }
  return undefined;
}

/** The rules that hold for all that a rule holds for. */
function masksOf({ group }: GroupResource): GroupResource[] {
  return [
    { group, resource: '*' },
    { group: '*', resource: '*' },
  ];
}
