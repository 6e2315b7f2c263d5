import type { PluginRegistry } from '#shared/admission/admission-chain.ts';
import { readPluginConfigurations } from '#shared/admission/configuration/plugin-configurations.ts';
import type { ParamSource } from '#shared/admission/policies/contract/param-source.ts';
import type { Policies } from '#shared/admission/policies/open-policies.ts';
import { ApiParams } from '#shared/admission/policies/params/api-params.ts';
import type { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import type { EgressSelector } from '#shared/egress/egress-selector.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import { readsManifests } from '#shared/server/options/feature-gates.ts';
import { createWebhookClient } from '#shared/webhooks/create-webhook-client.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import { openPolicies, type OpenPoliciesOptions } from './open-policies.ts';
import { openWebhooks } from './open-webhooks.ts';
import { ownServerOptions } from './own-server-options.ts';

export interface UserRulesOptions extends Omit<OpenPoliciesOptions, 'caches' | 'distant'> {
  readonly resources: RestResources;
  /** Default: those of a server whose objects are not built in. */
  readonly policies?: (distant: ParamSource) => Policies;
  readonly sockets: { readonly gateway: string };
  /** How webhooks are reached: those behind Services in the cluster, others in the control plane. */
  readonly egress: { readonly selector: EgressSelector };
  /** Compiles match conditions of webhooks. Default: a compiler of its own. */
  readonly compiler?: () => ConditionCompiler;
}

/** The admission of one server process by rules that users write: policies and webhooks. */
export interface UserRules {
  readonly plugins: PluginRegistry;
  /** Calls webhooks without credentials. */
  readonly client: WebhookClient;
  /**
   * Reads the rules in folders of manifests, which are in effect from then on.
   * @throws ConfigurationError
   */
  loadManifests(): Promise<void>;
  /** Resolves when the stored rules are in effect. */
  ready(): Promise<void>;
  close(): void;
}

export function openUserRules({ resources, compiler, ...options }: UserRulesOptions): UserRules {
  const { caches } = resources;
  const egress = options.egress.selector;
  const calls = createWebhookClient({
    objectsOf: (group, resource) => resources.store(group, resource),
    enableAggregatorRouting: options.options.enableAggregatorRouting,
    egress: { service: egress.dialer('cluster'), url: egress.dialer('controlplane') },
    ownServer: ownServerOptions(options.options, options.sockets.gateway),
  });
  const { client, api } = calls;
  const distant = new ApiParams(api, limitRepeatedErrors(options.reportError));
  const policies = options.policies?.(distant) ?? openPolicies({ ...options, caches, distant });
  const { MutatingAdmissionWebhook: mutating, ValidatingAdmissionWebhook: validating } = readPluginConfigurations(
    options.options,
    readsManifests(options.options),
  );
  const clients = { mutating: client.as(mutating?.kubeconfig), validating: client.as(validating?.kubeconfig) };
  const webhooks = openWebhooks({ ...options, caches, clients, ...(compiler === undefined ? {} : { compiler }) });
  return {
    plugins: { ...policies.plugins(), ...webhooks.plugins() },
    client,
    async loadManifests() {
      for (const part of [policies, webhooks]) await part.loadManifests();
    },
    ready: async () => void (await Promise.all([policies.ready(), webhooks.ready()])),
    close() {
      for (const part of [policies, webhooks, calls]) part.close();
    },
  };
}
