import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { KeySource } from '#shared/authentication/service-account/key-source.ts';
import type { TokenSigner } from '#shared/authentication/service-account/service-account-tokens.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { ExternalKeys } from './external-keys.ts';
import { ExternalSigner } from './external-signer.ts';
import { SignerClient } from './signer-client.ts';
import { SignerMetrics } from './signer-metrics.ts';

export interface ExternalSignerFlags {
  readonly serviceAccountSigningEndpoint: string;
  /** In milliseconds; 0 for what the signer allows. */
  readonly serviceAccountMaxTokenExpiration: number;
}

/** An external signer that was asked for its keys. */
export interface OpenedSigner {
  readonly keys: KeySource;
  readonly signer: TokenSigner;
  /** The longest life of a token, in seconds, by the flag and by the signer. */
  readonly maxSeconds: number;
  /** The longest life that the signer allows, in seconds. */
  readonly signerMaxSeconds: number;
  readonly metrics: readonly Family[];
  close(): void;
}

const metadataWithinMs = 10_000;
const leastSeconds = 600;

/**
 * Opens the signer of `--service-account-signing-endpoint`; waits a minute for it.
 * @throws Error if it is away, or says what it must not
 */
export async function openExternalSigner(
  flags: ExternalSignerFlags,
  logger: Pick<Logger, 'error'>,
): Promise<OpenedSigner> {
  const metrics = new SignerMetrics();
  const client = new SignerClient({
    endpoint: flags.serviceAccountSigningEndpoint,
    onCall: (method, code, seconds) => metrics.called(method, code, seconds),
  });
  const keys = new ExternalKeys({
    client,
    onFetch: (outcome) => metrics.fetched(outcome),
    reportError: (message, error) => logger.error(message, error),
  });
  const close = (): void => {
    keys.close();
    client.close();
  };
  try {
    await keys.open();
    const { maxTokenExpirationSeconds: signerMaxSeconds } = await client.metadata(metadataWithinMs);
    return {
      keys,
      signer: new ExternalSigner({ client, keys, onSign: (error) => metrics.signed(error) }),
      maxSeconds: maxSeconds(flags, signerMaxSeconds),
      signerMaxSeconds,
      metrics: metrics.families,
      close,
    };
  } catch (error) {
    close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `--service-account-signing-endpoint ${JSON.stringify(flags.serviceAccountSigningEndpoint)}: while setting up external-jwt-signer: ${reason}`,
      { cause: error },
    );
  }
}

/** @throws Error if the signer's longest life is too short, for tokens or for the flag */
function maxSeconds({ serviceAccountMaxTokenExpiration: flagMs }: ExternalSignerFlags, signerSeconds: number): number {
  if (signerSeconds < leastSeconds)
    throw new Error(
      `max token life supported by external-jwt-signer (${signerSeconds}s) is less than acceptable (min ${leastSeconds}s)`,
    );
  if (flagMs === 0) return signerSeconds;
  if (flagMs > signerSeconds * 1000) {
    const [flag, signer] = [flagMs, signerSeconds * 1000].map((ms) => formatDuration(BigInt(Math.round(ms * 1e6))));
    throw new Error(
      `service-account-max-token-expiration cannot be set longer than the token expiration supported by service-account-signing-endpoint: ${flag} > ${signer}`,
    );
  }
  return Math.floor(flagMs / 1000);
}
