import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Answer, ApiClient } from '#test/api-client.ts';
import { workResources } from '#test/robustness/workload/resources.ts';
import { create, mergePatch, must, until } from './api.ts';
import type { RuleWebhook } from './rule-webhook.ts';
import {
  bindingWithParams,
  denyingBinding,
  denyingPolicy,
  markingPolicy,
  policyWithParams,
  webhookConfiguration,
  type NewObject,
} from './rules.ts';
import { namespace, namespacedKinds, writeKinds, type WriteKind } from './write-kinds.ts';

/** A change of a rule that has to act in every process. */
export interface Change {
  readonly title: string;
  readonly kinds: readonly WriteKind[];
  /** What is there before. */
  prepare(client: ApiClient, rule: string): Promise<void>;
  /** Resolves when the change is acknowledged. */
  act(client: ApiClient, rule: string): Promise<void>;
  /** Whether a server that gave the answer to a dry run of a creation knew the change. */
  isKnown(answer: Answer, rule: string): boolean;
}

const denied = ({ status, text }: Answer, rule: string): boolean => status >= 400 && text.includes(rule);
const deniedByWebhook = ({ text }: Answer): boolean => text.includes('denied the request: never');
const marked = ({ text }: Answer): boolean => text.includes('"marked":"yes"');
const admitted = ({ status }: Answer): boolean => status === 201;

function change(title: string, ruled: Pick<Change, 'prepare' | 'act'> & Partial<Change>): Change {
  return { title, kinds: writeKinds, isKnown: denied, ...ruled };
}

/** The parameters of a policy: objects that say whether to refuse. */
function paramChange(title: string, param: (name: string, mark: string) => NewObject, expression: string): Change {
  return change(title, {
    async prepare(client, rule) {
      const allowing = param(rule, 'allow');
      const { apiVersion = 'v1', kind = 'ConfigMap' } = allowing.body;
      await create(client, [
        allowing,
        policyWithParams(rule, { apiVersion, kind }, expression),
        bindingWithParams(rule, namespace),
      ]);
    },
    async act(client, rule) {
      const { path, body } = param(rule, 'deny');
      await mergePatch(client, `${path}/${rule}`, body);
    },
  });
}

function configMapParam(name: string, mode: string): NewObject {
  return { path: workResources.configmaps.path(namespace), body: { metadata: { name }, data: { mode } } };
}

function widgetParam(name: string, mark: string): NewObject {
  const head = { apiVersion: 'robustness.quarterdeck.example/v1', kind: 'Widget' };
  return { path: workResources.widgets.path(namespace), body: { ...head, metadata: { name }, spec: { mark } } };
}

/** Every kind of change; a rule has the name that its probes carry as their label. */
export function admissionChanges(webhook: RuleWebhook): readonly Change[] {
  const configuration = (kind: 'Mutating' | 'Validating', rule: string): NewObject[] => [
    webhookConfiguration(`${kind}WebhookConfiguration`, rule, webhook),
  ];
  return [
    change('new policy', {
      prepare: (client, rule) => create(client, [denyingBinding(rule)]),
      act: (client, rule) => create(client, [denyingPolicy(rule)]),
    }),
    change('changed policy', {
      prepare: (client, rule) =>
        create(client, [denyingPolicy(rule, { validations: [{ expression: 'true' }] }), denyingBinding(rule)]),
      act: (client, rule) => mergePatch(client, pathOf(denyingPolicy(rule)), denyingPolicy(rule).body),
    }),
    change('new binding', {
      prepare: (client, rule) => create(client, [denyingPolicy(rule)]),
      act: (client, rule) => create(client, [denyingBinding(rule)]),
    }),
    change('removed binding', {
      prepare: (client, rule) => create(client, [denyingPolicy(rule), denyingBinding(rule)]),
      act: async (client, rule) => void (await must(client, 'DELETE', pathOf(denyingBinding(rule)))),
      isKnown: admitted,
    }),
    change('new mutating policy and binding', {
      prepare: () => Promise.resolve(),
      act: (client, rule) => create(client, markingPolicy(rule)),
      isKnown: marked,
    }),
    paramChange('changed param of a built-in kind', configMapParam, "params.data.mode != 'deny'"),
    paramChange('changed param of a custom kind', widgetParam, "params.spec.mark != 'deny'"),
    change('label of a namespace that a selector wants', {
      kinds: namespacedKinds,
      prepare: (client, rule) =>
        create(client, [
          denyingPolicy(rule, {}, { namespaceSelector: { matchLabels: { [rule]: 'yes' } } }),
          denyingBinding(rule),
        ]),
      act: (client, rule) =>
        mergePatch(client, `/api/v1/namespaces/${namespace}`, { metadata: { labels: { [rule]: 'yes' } } }),
    }),
    change('new validating webhook', {
      prepare: () => Promise.resolve(),
      act: (client, rule) => create(client, configuration('Validating', rule)),
      isKnown: deniedByWebhook,
    }),
    change('new mutating webhook', {
      prepare: () => Promise.resolve(),
      act: (client, rule) => create(client, configuration('Mutating', rule)),
      isKnown: marked,
    }),
    change('removed validating webhook', {
      prepare: (client, rule) => create(client, configuration('Validating', rule)),
      act: async (client, rule) =>
        void (await must(client, 'DELETE', configuration('Validating', rule).map(pathOf).join(''))),
      isKnown: admitted,
    }),
  ];
}

function pathOf({ path, body }: NewObject): string {
  const { name } = body['metadata'] as { name: string };
  return `${path}/${name}`;
}

export const gadgetGroup = 'rules.quarterdeck.example';

/** A custom resource of two versions, which is read as `v2` and stored as `v1`. */
export async function defineGadgets(client: ApiClient, webhook: RuleWebhook): Promise<void> {
  const schema = {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  };
  await must(client, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    body: {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `gadgets.${gadgetGroup}` },
      spec: {
        group: gadgetGroup,
        scope: 'Cluster',
        names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
        conversion: conversionBy(webhook, 'none'),
        versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
      },
    },
  });
  const body = { apiVersion: `${gadgetGroup}/v1`, kind: 'Gadget', metadata: { name: 'a' }, spec: {} };
  await until('gadgets are served', async () => {
    const { status } = await client.send('POST', `/apis/${gadgetGroup}/v1/gadgets`, { body });
    return status === 201 || status === 409;
  });
}

export const gadgetPath = `/apis/${gadgetGroup}/v2/gadgets/a`;

/** The webhook that converts gadgets changes. */
export async function convertBy(client: ApiClient, webhook: RuleWebhook, name: string): Promise<void> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${gadgetGroup}`;
  await mergePatch(client, path, { spec: { conversion: conversionBy(webhook, name) } });
}

function conversionBy(webhook: RuleWebhook, name: string): JsonObject {
  const clientConfig = webhook.clientConfig(`convert-${name}`);
  return { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } };
}
