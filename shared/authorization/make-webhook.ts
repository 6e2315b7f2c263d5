import { readKubeconfig } from '#shared/configuration/kubeconfig.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import type { AuthorizationWebhook } from './configuration/authorization-configuration.ts';
import type { LoadedAuthorizer } from './configuration/load-authorization.ts';
import type { AuthorizationMetrics } from './metrics/authorization-metrics.ts';
import type { AccessReviewVersion } from './webhook/asked-access.ts';
import { WebhookAuthorizer } from './webhook/webhook-authorizer.ts';

export interface AuthorizationWebhookDependencies {
  /** Whether the gate AuthorizeWithSelectors is on. */
  readonly sendsSelectors: boolean;
  readonly knowsKind: KnowsKind;
  readonly metrics: AuthorizationMetrics;
  /** How the webhook is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  readonly logger: Logger;
}

/** The pause before a webhook is asked for a second time. */
const retryMs = 500;
/** An answer holds a reason besides its decision. Many are read at a time, so that 16 MiB each would be too much. */
const maxBytes = 1024 * 1024;
const nsInMs = 1_000_000n;

export type MakeWebhook = typeof makeWebhook;

/** @throws ConfigurationError if the kubeconfig cannot be used */
export function makeWebhook(
  { name, conditions }: LoadedAuthorizer,
  webhook: AuthorizationWebhook,
  { sendsSelectors, knowsKind, metrics, dial, logger }: AuthorizationWebhookDependencies,
): WebhookAuthorizer {
  const file = webhook.connectionInfo.kubeConfigFile ?? '';
  return new WebhookAuthorizer({
    name,
    conditions,
    sendsSelectors,
    client: new KubeconfigWebhook({
      read: () => readKubeconfig(file).target(),
      reportError: (error) => logger.error('the files of an authorization webhook stay as they were', error, { name }),
      retryMs,
      dial,
      maxBytes,
      timeoutMs: Number(webhook.timeout) / Number(nsInMs),
    }),
    version: webhook.subjectAccessReviewVersion as AccessReviewVersion,
    times: {
      authorizedMs: webhook.cacheAuthorizedRequests ? Number(webhook.authorizedTtl / nsInMs) : 0,
      unauthorizedMs: webhook.cacheUnauthorizedRequests ? Number(webhook.unauthorizedTtl / nsInMs) : 0,
    },
    onFailure: webhook.failurePolicy === 'Deny' ? 'deny' : 'noOpinion',
    knowsKind,
    metrics,
    reportError: (message, error) => logger.error(message, error, { name }),
  });
}
