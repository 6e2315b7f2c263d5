import { readFile } from 'node:fs/promises';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import type { Family } from '#shared/observability/metrics.ts';
import { loadEncryption, type LoadEncryptionOptions } from './configuration/load-encryption.ts';
import type { ValueTransformer } from './contract/value-transformer.ts';
import type { OpenKms } from './providers/opened-providers.ts';
import { TransformationMetrics } from './providers/transformation-metrics.ts';
import { ResourceTransformers } from './resource-transformers.ts';

export interface OpenEncryptionOptions extends LoadEncryptionOptions {
  readonly openKms: OpenKms;
}

/** Encryption at rest, by the file of `--encryption-provider-config`. */
export interface Encryption {
  /** The transformer of a resource at present. */
  transformerOf(resource: GroupResource): ValueTransformer;
  metrics(): readonly Family[];
  close(): void;
}

/**
 * Reads the file and opens its providers.
 * @throws ConfigurationError in the reference's words
 */
export async function openEncryption(options: OpenEncryptionOptions): Promise<Encryption> {
  const bytes = await readEncryptionFile(options.path);
  const metrics = new TransformationMetrics();
  const transformers = openTransformers(bytes, options, metrics);
  await Promise.all(transformers.kms.map(({ provider }) => provider.ready?.()));
  return {
    transformerOf: (resource) => transformers.of(resource),
    metrics: () => metrics.families,
    close: () => transformers.close(),
  };
}

/** @throws ConfigurationError */
export async function readEncryptionFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ConfigurationError(
      `error while parsing file: error while loading file: error reading encryption provider configuration file ${goQuote(path)}: ${readError(error, path)}`,
    );
  }
}

function openTransformers(
  bytes: Uint8Array,
  options: OpenEncryptionOptions,
  metrics: TransformationMetrics,
): ResourceTransformers {
  const configuration = loadEncryption(bytes, options);
  try {
    return new ResourceTransformers(configuration, metrics, options.openKms);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`error while building transformers: ${reason}`);
  }
}
