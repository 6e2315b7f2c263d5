import type { ObjectCaches } from '#shared/admission/contract/object-lister.ts';
import { Webhooks } from '#shared/admission/webhooks/open-webhooks.ts';
import type { Facts } from '#shared/api/facts.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { askAuthorizer } from '#shared/authorization/ask-authorizer.ts';
import type { Authorizer } from '#shared/authorization/contract/authorizer.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import { manifestOptions, type ManifestServer } from './manifest-options.ts';

export interface OpenWebhooksOptions extends ManifestServer {
  readonly facts: Facts;
  readonly caches: ObjectCaches;
  readonly authorizer: Authorizer;
  /** Of each kind, as which the server calls it. */
  readonly clients: { readonly mutating: WebhookClient; readonly validating: WebhookClient };
  /** Default: a compiler of its own. */
  readonly compiler?: () => ConditionCompiler;
  readonly reportError: (message: string, error: unknown) => void;
}

/** The admission webhooks that a server calls. */
export function openWebhooks({
  options,
  facts,
  caches,
  authorizer,
  clients,
  compiler,
  logger,
  serverId,
  reportError,
}: OpenWebhooksOptions): Webhooks {
  return new Webhooks({
    caches,
    authorize: askAuthorizer(authorizer),
    manifests: manifestOptions({ options, logger, serverId }, compiler),
    reportError,
    caller: {
      clients,
      get reviewType() {
        return reviewTypeOf(facts);
      },
    },
    ...(compiler === undefined ? {} : { compiler }),
  });
}

function reviewTypeOf(facts: Facts): StructSchema {
  const type = facts.schema('admission.k8s.io', 'v1', 'AdmissionReview');
  if (type === undefined) throw new Error('no schema of AdmissionReview');
  return type;
}
