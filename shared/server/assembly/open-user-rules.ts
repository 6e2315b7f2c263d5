import type { PluginRegistry } from '#shared/admission/admission-chain.ts';
import type { Policies } from '#shared/admission/policies/open-policies.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import { createWebhookClient } from '#shared/webhooks/create-webhook-client.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import { openPolicies, type OpenPoliciesOptions } from './open-policies.ts';
import { openWebhooks } from './open-webhooks.ts';

export interface UserRulesOptions extends Omit<OpenPoliciesOptions, 'caches'> {
  readonly resources: RestResources;
  /** Default: those of a server whose objects are not built in. */
  readonly policies?: Policies;
  /** Compiles match conditions of webhooks. Default: a compiler of its own. */
  readonly compiler?: () => ConditionCompiler;
}

/** The admission of one server process by rules that users write: policies and webhooks. */
export interface UserRules {
  readonly plugins: PluginRegistry;
  /** Calls the webhooks. */
  readonly client: WebhookClient;
  /** Resolves when the stored rules are in effect. */
  ready(): Promise<void>;
  close(): void;
}

export function openUserRules({ resources, compiler, ...options }: UserRulesOptions): UserRules {
  const { caches } = resources;
  const policies = options.policies ?? openPolicies({ ...options, caches });
  const calls = createWebhookClient((group, resource) => resources.store(group, resource), options.options);
  const { client } = calls;
  const webhooks = openWebhooks({ ...options, caches, client, ...(compiler === undefined ? {} : { compiler }) });
  return {
    plugins: { ...policies.plugins(), ...webhooks.plugins() },
    client,
    ready: async () => void (await Promise.all([policies.ready(), webhooks.ready()])),
    close() {
      for (const part of [policies, webhooks, calls]) part.close();
    },
  };
}
