import type { ValueTransformer } from './value-transformer.ts';

/** One entry of `providers` in an EncryptionConfiguration, opened. */
export interface EncryptionProvider {
  /** Begins each value that this provider has encrypted (`k8s:enc:secretbox:v1:key1:` without the key's part). */
  readonly prefix: string;
  /** Without the prefix on both sides. */
  readonly transformer: ValueTransformer;
  /** Of remote providers: what is wrong, undefined if nothing. For health checks: asks the provider, every few seconds. */
  health?(): Promise<string | undefined>;
  /** Resolves when a remote provider has answered for the first time. */
  ready?(): Promise<void>;
  /** Ends background work and connections. */
  close?(): void;
}

/** A `kms` entry of an EncryptionConfiguration, with defaults filled in. */
export interface KmsConfiguration {
  readonly apiVersion: 'v1' | 'v2';
  readonly name: string;
  /** `unix:///path/to/socket`. */
  readonly endpoint: string;
  readonly timeoutMs: number;
  /** Of v1: how many data keys are cached; negative for no cache. */
  readonly cacheSize: number;
}
