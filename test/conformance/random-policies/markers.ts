import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { sendJson, type Server } from '#test/compare/exchange.ts';
import { configuration, creation, type Configuration } from './configurations.ts';
import { addressed, type WebhookAddress } from './random-webhook.ts';
import { customGroup } from './targets.ts';

/** How long a server may take until it acts by its configurations: the reference looks for kinds twice a minute. */
const limitMs = 60_000;
const pauseMs = 40;

/** Configurations that are made last and change all objects with a label: they act when those before them do. */
export function markersOf(word: string, address: WebhookAddress): Configuration[] {
  const name = `zz-${word}`;
  const matchConstraints = { resourceRules: [rule], objectSelector: { matchLabels: { marker: word } } };
  const webhook = (does: string): JsonObject =>
    addressed(
      {
        name: 'marker.example.com',
        does,
        spec: {
          rules: [rule],
          objectSelector: matchConstraints.objectSelector,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      },
      address,
    );
  const expression = `Object{metadata: Object.metadata{annotations: {'marker': '${word}'}}}`;
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  const of = (resource: string, kind: string, rest: JsonObject): Configuration =>
    configuration(resource, kind, 'v1', name, rest);
  return [
    of('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
      spec: { matchConstraints, validations: [{ expression: 'false', message: word }] },
    }),
    of('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', {
      spec: { policyName: name, validationActions: ['Warn'] },
    }),
    of('mutatingadmissionpolicies', 'MutatingAdmissionPolicy', {
      spec: { matchConstraints, reinvocationPolicy: 'Never', mutations },
    }),
    of('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', { spec: { policyName: name } }),
    of('validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', { webhooks: [webhook('warn')] }),
    of('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', { webhooks: [webhook('label-again')] }),
  ];
}

const rule = {
  apiGroups: ['', customGroup],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['configmaps', 'limits'],
};

/** Each is admitted by another process of this server. */
const probes: readonly (readonly [string, JsonObject])[] = [
  ['/api/v1/namespaces/fuzz-a/configmaps', { apiVersion: 'v1', kind: 'ConfigMap' }],
  [`/apis/${customGroup}/v1/namespaces/fuzz-a/limits`, { apiVersion: `${customGroup}/v1`, kind: 'Limit' }],
];

/** Makes the markers, and waits until every one acts. */
export async function untilActive(server: Server, word: string, address: WebhookAddress): Promise<void> {
  for (const marker of markersOf(word, address)) {
    const { method, path, body } = creation(marker);
    const { status, body: said } = await sendJson(server, method, path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(said)}`);
  }
  const metadata = { name: 'probe', labels: { marker: word } };
  const deadline = performance.now() + limitMs;
  for (const [path, object] of probes)
    for (;;) {
      const { body, warnings } = await sendJson(server, 'POST', `${path}?dryRun=All`, { ...object, metadata });
      const held = objectAt(body, 'metadata') ?? {};
      const isActive =
        stringAt(held, 'annotations', 'marker') === word &&
        stringAt(held, 'labels', 'again') === 'yes' &&
        ['first', word].every((text) => warnings.some((warning) => warning.includes(text)));
      if (isActive) break;
      if (performance.now() > deadline)
        throw new Error(`the configurations of ${word} do not act: ${JSON.stringify([body, warnings])}`);
      await sleep(pauseMs);
    }
}
