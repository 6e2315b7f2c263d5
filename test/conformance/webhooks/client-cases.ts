import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { configMaps, create, ruleFor, simple } from './case.ts';
import type { WebhookCase } from './case.ts';
import { misbehaviours } from './misbehaviours.ts';

const kinds = ['mutating', 'validating'] as const;
const policies = ['Fail', 'Ignore'] as const;

/** Over HTTP/2, which the reference speaks to webhooks of its own machine. */
const overHttp2 = [
  'allow',
  'deny',
  'warn',
  'label',
  'bad-json',
  'empty',
  '10mb',
  '500',
  '404',
  'slow',
  'hang',
  'reset',
  'cut-length',
  'hang-in-body',
  'redirect-307',
  'redirect-302',
  'busy-once',
  'busy-then-hang',
];

/** Calls of this server's own API as a webhook: errors of the answer show as whom. */
const ownPaths: readonly JsonObject[] = [
  { path: '/readyz' },
  { path: '/api/v1/namespaces/default/configmaps' },
  { path: '/api/v1/namespaces/kube-system/secrets' },
  { path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews' },
  { path: '/apis/missing.example.com/v1/reviews' },
  { path: '/nothing' },
  { port: 8443, path: '/readyz' },
];

/** How the client of webhooks takes answers that are none, redirects, requests to wait, and its own deadline. */
export const clientCases: readonly WebhookCase[] = [
  ...Object.keys(misbehaviours)
    .filter((does) => !['redirect-host', 'redirect-plain'].includes(does))
    .flatMap((does) => simple(does, 'validating', does === 'busy-later' ? { timeoutSeconds: 5 } : {})),
  ...overHttp2.flatMap((does) => simple(does, 'mutating').map((one) => http2(one))),
  ...['redirect-host', 'redirect-plain'].map((does) => ({
    name: `mutating ${does}`,
    answersExplained: 'redirects to other servers are not followed',
    webhooks: [{ does, kind: 'mutating' as const }],
    requests: [create('redirected', {}, '?dryRun=All')],
  })),
  ...kinds.flatMap((kind) =>
    policies.map((failurePolicy) => ({
      name: `${kind}: the request ends before its webhook, ${failurePolicy}`,
      webhooks: ['hang', 'allow'].map((does) => ({ does, kind, spec: { failurePolicy, timeoutSeconds: 10 } })),
      sideBySide: kind === 'validating',
      answersExplained: 'the reference closes the connection at times, and answers at others',
      requests: [create('late', {}, '?timeout=1s')],
    })),
  ),
  ...kinds.flatMap((kind) =>
    ['call-back', 'call-back-nested', 'call-back-change'].map((does) => ({
      name: `${kind} ${does}`,
      sideBySide: true,
      webhooks: [{ does, kind, spec: { timeoutSeconds: 5 } }],
      requests: [
        create('nested'),
        { method: 'PUT', path: `${configMaps}/nested`, body: { metadata: { name: 'nested' }, data: { c: 'd' } } },
        { method: 'PATCH', path: `${configMaps}/nested`, body: { data: { e: 'f' } } },
        { method: 'DELETE', path: `${configMaps}/nested` },
      ],
    })),
  ),
  ...ownPaths.map((more) => ({
    name: `the Service kubernetes as a webhook, ${JSON.stringify(more)}`,
    webhooks: [
      {
        does: 'none',
        spec: {
          rules: [ruleFor(['configmaps'])],
          clientConfig: { service: { namespace: 'default', name: 'kubernetes', ...more } },
        },
      },
    ],
    requests: [create('own', {}, '?dryRun=All')],
  })),
];

function http2(one: WebhookCase): WebhookCase {
  return { ...one, name: `HTTP/2: ${one.name}`, http2: true };
}
