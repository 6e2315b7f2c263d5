import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const group = 'admissionregistration.k8s.io';
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const webhook = {
  name: 'a.b.c',
  rules: [rule],
  clientConfig: { url: 'https://example.com/a' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const condition = (index: number): JsonObject => ({ name: `c${index}`, expression: 'true' });

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(
      group,
      'v1',
      'validatingwebhookconfigurations',
      'ValidatingWebhookConfiguration',
      { webhooks: [webhook] },
      false,
    ),
    limits: [
      ['webhooks', [webhook], [webhook, webhook], 'webhooks[1].name: Duplicate value: "a.b.c"'],
      [
        'webhooks[0].name',
        'a.b.c',
        'a.b',
        'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
      ],
      ['webhooks[0].name', 'a.b.c', '', 'webhooks[0].name: Required value'],
      [
        'webhooks[0].name',
        'a.b.c',
        'A.b.c',
        `webhooks[0].name: Invalid value: "A.b.c": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'webhooks[0].timeoutSeconds',
        30,
        31,
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      ],
      [
        'webhooks[0].timeoutSeconds',
        1,
        0,
        'webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value must be between 1 and 30 seconds',
      ],
      [
        'webhooks[0].sideEffects',
        'NoneOnDryRun',
        'Some',
        'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      ],
      [
        'webhooks[0].sideEffects',
        'None',
        null,
        'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
      ],
      [
        'webhooks[0].failurePolicy',
        'Ignore',
        'Other',
        'webhooks[0].failurePolicy: Unsupported value: "Other": supported values: "Fail", "Ignore"',
      ],
      [
        'webhooks[0].failurePolicy',
        'Fail',
        '',
        'webhooks[0].failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"',
      ],
      [
        'webhooks[0].matchPolicy',
        'Exact',
        'Other',
        'webhooks[0].matchPolicy: Unsupported value: "Other": supported values: "Equivalent", "Exact"',
      ],
      [
        'webhooks[0].admissionReviewVersions',
        ['v2', 'v1beta1'],
        ['v2'],
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
      [
        'webhooks[0].admissionReviewVersions',
        ['v1'],
        ['v1', 'v1'],
        'webhooks[0].admissionReviewVersions[1]: Invalid value: "v1": duplicate version',
      ],
      [
        'webhooks[0].admissionReviewVersions',
        ['v1'],
        ['v1', '1'],
        `webhooks[0].admissionReviewVersions[1]: Invalid value: "1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
      [
        'webhooks[0].admissionReviewVersions',
        ['v1'],
        [],
        'webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1',
      ],
      [
        'webhooks[0].matchConditions',
        times(64, condition),
        times(65, condition),
        'webhooks[0].matchConditions: Too many: 65: must have at most 64 items',
      ],
      [
        'webhooks[0].matchConditions',
        times(1, condition),
        [condition(1), condition(1)],
        'webhooks[0].matchConditions[1].name: Duplicate value: "c1"',
      ],
      [
        'webhooks[0].matchConditions',
        times(1, condition),
        [{ name: '', expression: 'true' }],
        'webhooks[0].matchConditions[0].name: Required value',
      ],
      [
        'webhooks[0].matchConditions',
        times(1, condition),
        [{ name: 'a', expression: ' ' }],
        'webhooks[0].matchConditions[0].expression: Required value',
      ],
      [
        'webhooks[0].namespaceSelector',
        { matchLabels: { a: 'b' } },
        { matchExpressions: [{ key: 'a', operator: 'In' }] },
        `webhooks[0].namespaceSelector.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      ],
      [
        'webhooks[0].objectSelector',
        { matchLabels: { a: 'b' } },
        { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
        `webhooks[0].objectSelector.matchExpressions[0].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
      ],
      [
        'webhooks[0].rules[0].operations',
        ['*'],
        ['*', 'CREATE'],
        `webhooks[0].rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
      ],
      [
        'webhooks[0].rules[0].operations',
        ['CONNECT'],
        ['GET'],
        'webhooks[0].rules[0].operations[0]: Unsupported value: "GET": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
      ['webhooks[0].rules[0].operations', ['DELETE'], [], 'webhooks[0].rules[0].operations: Required value'],
      [
        'webhooks[0].rules[0].apiGroups',
        ['*'],
        ['*', 'apps'],
        `webhooks[0].rules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other API groups`,
      ],
      [
        'webhooks[0].rules[0].apiVersions',
        ['*'],
        ['*', 'v1'],
        `webhooks[0].rules[0].apiVersions: Invalid value: ["*","v1"]: if '*' is present, must not specify other API versions`,
      ],
      ['webhooks[0].rules[0].apiVersions', ['v1'], ['v1', ''], 'webhooks[0].rules[0].apiVersions[1]: Required value'],
      ['webhooks[0].rules[0].resources', ['pods'], [], 'webhooks[0].rules[0].resources: Required value'],
      ['webhooks[0].rules[0].resources', ['pods'], [''], 'webhooks[0].rules[0].resources[0]: Required value'],
      [
        'webhooks[0].rules[0].resources',
        ['pods', 'pods/log'],
        ['pods/*', 'pods/log'],
        `webhooks[0].rules[0].resources[1]: Invalid value: "pods/log": if 'pods/*' is present, must not specify pods/log`,
      ],
      [
        'webhooks[0].rules[0].resources',
        ['pods/log', 'pods/*'],
        ['pods/*', 'pods/*'],
        `webhooks[0].rules[0].resources[1]: Invalid value: "pods/*": if 'pods/*' is present, must not specify pods/*`,
      ],
      [
        'webhooks[0].rules[0].resources',
        ['jobs/status', '*/scale'],
        ['*/status', 'jobs/status'],
        `webhooks[0].rules[0].resources[1]: Invalid value: "jobs/status": if '*/status' is present, must not specify jobs/status`,
      ],
      [
        'webhooks[0].rules[0].resources',
        ['*/*'],
        ['*/*', 'pods'],
        `webhooks[0].rules[0].resources: Invalid value: ["*/*","pods"]: if '*/*' is present, must not specify other resources`,
      ],
      [
        'webhooks[0].rules[0].resources',
        ['*', 'pods/log'],
        ['*', 'pods'],
        `webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources without subresources`,
      ],
      [
        'webhooks[0].rules[0].scope',
        'Cluster',
        'Other',
        'webhooks[0].rules[0].scope: Unsupported value: "Other": supported values: "*", "Cluster", "Namespaced"',
      ],
      [
        'webhooks[0].rules[0].scope',
        '*',
        '',
        'webhooks[0].rules[0].scope: Unsupported value: "": supported values: "*", "Cluster", "Namespaced"',
      ],
    ],
    updates: [
      [
        'webhooks[0].timeoutSeconds',
        30,
        31,
        'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      ],
      ['webhooks', [webhook], [webhook, webhook], 'webhooks[1].name: Duplicate value: "a.b.c"'],
      [
        'webhooks[0].sideEffects',
        'NoneOnDryRun',
        'Unknown',
        'webhooks[0].sideEffects: Unsupported value: "Unknown": supported values: "None", "NoneOnDryRun"',
      ],
      [
        'webhooks[0].admissionReviewVersions',
        ['v1beta1'],
        ['v2'],
        'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
      ],
    ],
    generations: [
      ['webhooks[0].timeoutSeconds', 30, 2],
      ['webhooks[0].name', 'a.b.c', 1],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'mutatingwebhookconfigurations',
      'MutatingWebhookConfiguration',
      { webhooks: [webhook] },
      false,
    ),
    limits: [
      [
        'webhooks[0].reinvocationPolicy',
        'IfNeeded',
        'Always',
        'webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
      ],
    ],
  },
];
