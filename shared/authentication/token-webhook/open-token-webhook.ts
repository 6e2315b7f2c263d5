import type { TokenAuthenticator } from '#shared/authentication/contract/authenticator.ts';
import { cachedTokenAuthenticator } from '#shared/authentication/token-cache/cached-token-authenticator.ts';
import type { TokenCacheMetrics } from '#shared/authentication/token-cache/token-cache-metrics.ts';
import { readKubeconfig } from '#shared/configuration/kubeconfig.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import { tokenReviewVersions, type TokenReviewVersion } from './token-review.ts';
import { WebhookTokenAuthenticator } from './webhook-token-authenticator.ts';

/** The flags of the token webhook. */
export interface TokenWebhookOptions {
  readonly authenticationTokenWebhookCacheTtl: number;
  readonly authenticationTokenWebhookConfigFile: string;
  readonly authenticationTokenWebhookVersion: string;
}

export interface TokenWebhookDependencies {
  readonly logger: Pick<Logger, 'error'>;
  readonly knowsKind: KnowsKind;
  readonly metrics: TokenCacheMetrics;
  /** How the webhook is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
}

const retryMs = 500;

/**
 * The authenticator that asks the webhook of `--authentication-token-webhook-config-file`; undefined without that.
 * @throws Error for a kubeconfig that cannot be used, or another version
 */
export function openTokenWebhook(
  options: TokenWebhookOptions,
  apiAudiences: readonly string[],
  { logger, knowsKind, metrics, dial }: TokenWebhookDependencies,
): { readonly authenticator: TokenAuthenticator; close(): void } | undefined {
  const { authenticationTokenWebhookConfigFile: file, authenticationTokenWebhookCacheTtl: ttlMs } = options;
  if (file === '') return undefined;
  const webhook = new KubeconfigWebhook({
    read: () => readKubeconfig(file).target(),
    reportError: (error) => logger.error('the files of the token webhook stay as they were', error),
    retryMs,
    dial,
  });
  const authenticator = new WebhookTokenAuthenticator({
    webhook,
    version: versionOf(options),
    apiAudiences,
    knowsKind,
    reportError: (message, error) => logger.error(message, error),
  });
  return {
    authenticator: cachedTokenAuthenticator(authenticator, { acceptedMs: ttlMs, unknownMs: ttlMs, metrics }),
    close: () => webhook.close(),
  };
}

function versionOf({ authenticationTokenWebhookVersion: text }: TokenWebhookOptions): TokenReviewVersion {
  const version = tokenReviewVersions.find((one) => one === text);
  if (version === undefined) throw new Error(unknownVersion(text));
  return version;
}

function unknownVersion(text: string): string {
  return `unsupported authentication webhook version ${JSON.stringify(text)}, supported versions are ${tokenReviewVersions.map((known) => `"${known}"`).join(', ')}`;
}

/** Errors in the flags of the token webhook, and in the kubeconfig that they name. */
export function tokenWebhookErrors(options: TokenWebhookOptions): string[] {
  const { authenticationTokenWebhookConfigFile: file, authenticationTokenWebhookVersion: version } = options;
  if (file === '') return [];
  const errors = tokenReviewVersions.some((known) => known === version)
    ? []
    : [`--authentication-token-webhook-version: ${unknownVersion(version)}`];
  try {
    readKubeconfig(file).target();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    errors.push(`--authentication-token-webhook-config-file ${JSON.stringify(file)}: ${reason}`);
  }
  return errors;
}
