import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { createAdmissionChain } from '#shared/admission/admission-chain.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { flagsWith } from '#shared/admission/testing/admission-flags.ts';
import { configMapAttributes } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { countedBy } from '#shared/observability/exposition/testing/counted-by.ts';
import type { WebhookTarget } from '#shared/webhooks/client-config.ts';
import { WebhookCallError } from '#shared/webhooks/webhook-call-error.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import { Webhooks } from './open-webhooks.ts';

const facts = loadFacts();
const reviewType = facts.schema('admission.k8s.io', 'v1', 'AdmissionReview');
const configMapType = facts.schema('', 'v1', 'ConfigMap');
assert.ok(reviewType && configMapType);

/** What a webhook answers, by the path of its url. */
type Answers = Readonly<Record<string, (request: JsonObject) => JsonObject>>;

function rig(answers: Answers): {
  readonly caches: FakeCaches;
  readonly calls: string[];
  readonly chain: ReturnType<typeof createAdmissionChain>;
  readonly configure: (kind: 'mutating' | 'validating', name: string, webhooks: readonly JsonObject[]) => Promise<void>;
} {
  const caches = new FakeCaches();
  const calls: string[] = [];
  const client: Pick<WebhookClient, 'call'> = {
    call(target: WebhookTarget, body: string): Promise<Buffer> {
      const { request } = JSON.parse(body) as { readonly request: JsonObject };
      const path = target.path.slice(1);
      calls.push(path);
      const answer = answers[path]?.(request);
      if (answer === undefined) return Promise.reject(new WebhookCallError('Post "x": EOF'));
      const response = { uid: request['uid'] ?? '', allowed: true, ...answer };
      return Promise.resolve(
        Buffer.from(JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response })),
      );
    },
  };
  const webhooks = new Webhooks({
    caches,
    authorize: () => ({ allowed: true, reason: '' }),
    reportError: (message, error) => assert.fail(`${message}: ${String(error)}`),
    caller: {
      clients: { mutating: client as WebhookClient, validating: client as WebhookClient },
      reviewType: reviewType as NonNullable<typeof reviewType>,
    },
  });
  const chain = createAdmissionChain(flagsWith(), webhooks.plugins());
  let told = Promise.withResolvers<void>();
  for (const plugin of chain.plugins) plugin.onHandlesChanged?.(() => told.resolve());
  const nextChange = (): Promise<void> => {
    told = Promise.withResolvers();
    return told.promise;
  };
  return {
    caches,
    calls,
    chain,
    async configure(kind, name, list) {
      // The snapshot is compiled in slices, and swapped then.
      const changed = nextChange();
      caches.put('admissionregistration.k8s.io', `${kind}webhookconfigurations`, {
        metadata: { name },
        webhooks: list.map((webhook) => ({
          rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], scope: '*' }],
          admissionReviewVersions: ['v1'],
          namespaceSelector: {},
          objectSelector: {},
          sideEffects: 'None',
          ...webhook,
        })),
      });
      await webhooks.ready();
      await changed;
    },
  };
}

function webhook(path: string, more: JsonObject = {}): JsonObject {
  return { name: `${path}.io`, clientConfig: { url: `https://h/${path}` }, ...more };
}

function attributes(object: KubeObject = configMap(), change: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const plain = configMapAttributes({ object, ...change });
  return {
    ...plain,
    versions: { ...plain.versions, schema: () => configMapType as NonNullable<typeof configMapType> },
  };
}

function configMap(): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, data: { a: 'b' } };
}

const patch = (operations: unknown): JsonObject => ({
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  patchType: 'JSONPatch',
});

async function refusalOf(work: Promise<void>): Promise<string | undefined> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  assert.ok(error instanceof StatusError);
  return `${error.status.code} ${error.status.message}`;
}

describe('MutatingAdmissionWebhook and ValidatingAdmissionWebhook', () => {
  test('handle only resources of rules, from the moment that a configuration comes', async () => {
    const { chain, configure } = rig({});
    for (const plugin of chain.plugins) await plugin.ready?.();
    const handles = (resource: string, group = ''): boolean => chain.handles('CREATE', { group, resource });
    assert.ok(!handles('configmaps'));
    await configure('validating', 'a', [webhook('deny')]);
    assert.ok(handles('configmaps'));
    assert.ok(!handles('secrets'));
    assert.ok(!handles('validatingwebhookconfigurations', 'admissionregistration.k8s.io'));
  });

  test('call mutating webhooks in the order of their configurations, and show each the work of those before', async () => {
    const add = (key: string) => (request: JsonObject) => {
      const object = request['object'] as KubeObject;
      return patch([{ op: 'add', path: `/data/${key}`, value: Object.keys(object['data'] as JsonObject).join() }]);
    };
    const { chain, calls, configure } = rig({ one: add('one'), two: add('two') });
    await configure('mutating', 'b', [webhook('two')]);
    await configure('mutating', 'a', [webhook('one')]);
    const object = configMap();
    await chain.admit(attributes(object));
    assert.deepEqual(calls, ['one', 'two']);
    assert.deepEqual(object['data'], { a: 'b', one: 'a', two: 'a,one' });
  });

  test('tell the recorder of a request which fields a webhook changes, and which of them fail or refuse', async () => {
    const { chain, configure } = rig({
      change: () => patch([{ op: 'add', path: '/data/c', value: 'd' }]),
      deny: () => ({ allowed: false }),
    });
    await configure('mutating', 'm', [webhook('change'), webhook('gone', { failurePolicy: 'Ignore' })]);
    await configure('validating', 'v', [webhook('deny')]);
    const steps: unknown[] = [];
    const recorded = attributes(configMap(), {
      recorder: { record: ({ rule, verdict, changed }) => void steps.push([rule, verdict, changed]) },
    });
    await chain.admit(recorded);
    assert.ok(await refusalOf(chain.validate(recorded)));
    assert.deepEqual(steps, [
      ['m/change.io', 'admitted', ['/data/c']],
      ['m/gone.io', 'ignored', []],
      [undefined, 'admitted', ['/data/c']],
      // The second round, in which nobody wants to be asked again.
      [undefined, 'admitted', []],
      ['v/deny.io', 'refused', []],
      [undefined, 'refused', []],
    ]);
  });

  test('call a webhook again only if it asks for that and a later one has changed the object', async () => {
    const { chain, calls, configure } = rig({
      again: () => ({}),
      once: () => ({}),
      change: () => patch([{ op: 'add', path: '/data/c', value: 'd' }]),
    });
    await configure('mutating', 'a', [
      webhook('again', { reinvocationPolicy: 'IfNeeded' }),
      webhook('once'),
      webhook('change'),
    ]);
    await chain.admit(attributes());
    assert.deepEqual(calls, ['again', 'once', 'change', 'again']);
  });

  test('refuse requests with the Status of the webhook that denies, and with its failure if the policy is Fail', async () => {
    const { chain, configure } = rig({ deny: () => ({ allowed: false, status: { code: 403, message: 'no' } }) });
    await configure('validating', 'a', [webhook('away', { failurePolicy: 'Ignore' })]);
    assert.equal(await refusalOf(chain.validate(attributes())), undefined);
    await configure('validating', 'b', [webhook('deny')]);
    assert.equal(
      await refusalOf(chain.validate(attributes())),
      '403 admission webhook "deny.io" denied the request: no',
    );
    await configure('validating', 'b', [webhook('away')]);
    assert.equal(
      await refusalOf(chain.validate(attributes())),
      '500 Internal error occurred: failed calling webhook "away.io": failed to call webhook: Post "x": EOF',
    );
  });

  test('note for audit what was mutated, patched and passed in spite of a failure', async () => {
    const { chain, configure } = rig({ change: () => patch([{ op: 'add', path: '/data/c', value: 'd' }]) });
    await configure('mutating', 'a', [webhook('away', { failurePolicy: 'Ignore' }), webhook('change')]);
    const noted: Record<string, string> = {};
    await chain.admit(attributes(configMap(), { addAuditAnnotation: (key, value) => void (noted[key] = value) }));
    assert.deepEqual(noted, {
      'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"a","webhook":"away.io","mutated":false}',
      'failed-open.mutation.webhook.admission.k8s.io/round_0_index_0': 'away.io',
      'patch.webhook.admission.k8s.io/round_0_index_1':
        '{"configuration":"a","webhook":"change.io","patch":[{"op":"add","path":"/data/c","value":"d"}],"patchType":"JSONPatch"}',
      'mutation.webhook.admission.k8s.io/round_0_index_1': '{"configuration":"a","webhook":"change.io","mutated":true}',
    });
  });

  test('evaluate match conditions, and never call a webhook with side effects in a dry run', async () => {
    const { chain, calls, configure } = rig({ deny: () => ({ allowed: false }) });
    await configure('validating', 'a', [
      webhook('deny', { matchConditions: [{ name: 'c', expression: "object.data.a == 'other'" }] }),
    ]);
    assert.equal(await refusalOf(chain.validate(attributes())), undefined);
    await configure('validating', 'a', [webhook('deny', { sideEffects: 'Some' })]);
    assert.equal(
      await refusalOf(chain.validate(attributes(configMap(), { dryRun: true }))),
      '400 admission webhook "deny.io" does not support dry run',
    );
    assert.deepEqual(calls, []);
  });

  test('count calls as allowed, refused and failed open, and conditions that keep a webhook from being called', async () => {
    const { chain, configure } = rig({ deny: () => ({ allowed: false, status: { code: 700 } }), allow: () => ({}) });
    await configure('mutating', 'm', [webhook('gone', { failurePolicy: 'Ignore' }), webhook('allow')]);
    await configure('validating', 'v', [
      webhook('deny'),
      webhook('gone'),
      webhook('allow', { matchConditions: [{ name: 'c', expression: 'false' }] }),
    ]);
    const asked = attributes();
    const prefix = 'apiserver_admission_';
    const admit = 'operation="CREATE",rejected="false",type="admit"';
    assert.deepEqual(await countedBy(`${prefix}webhook`, () => chain.admit(asked)), [
      `${prefix}webhook_admission_duration_seconds_count{name="allow.io",${admit}} 1`,
      `${prefix}webhook_admission_duration_seconds_count{name="gone.io",${admit}} 1`,
      `${prefix}webhook_fail_open_count{name="gone.io",type="admit"} 1`,
      `${prefix}webhook_request_total{code="200",name="allow.io",${admit}} 1`,
      `${prefix}webhook_request_total{code="503",name="gone.io",${admit}} 1`,
    ]);
    const rejected = 'operation="CREATE",rejected="true",type="validating"';
    const end = 'type="validating"} 1';
    assert.deepEqual(await countedBy(`${prefix}webhook`, () => refusalOf(chain.validate(asked))), [
      `${prefix}webhook_admission_duration_seconds_count{name="deny.io",${rejected}} 1`,
      `${prefix}webhook_admission_duration_seconds_count{name="gone.io",${rejected}} 1`,
      `${prefix}webhook_rejection_count{error_type="calling_webhook_error",name="gone.io",operation="CREATE",rejection_code="503",${end}`,
      `${prefix}webhook_rejection_count{error_type="no_error",name="deny.io",operation="CREATE",rejection_code="600",${end}`,
      `${prefix}webhook_request_total{code="503",name="gone.io",${rejected}} 1`,
      `${prefix}webhook_request_total{code="600",name="deny.io",${rejected}} 1`,
    ]);
    const condition = 'kind="webhook",name="allow.io",operation="CREATE",type=';
    assert.deepEqual(await countedBy(`${prefix}match`, () => refusalOf(chain.validate(asked))), [
      `${prefix}match_condition_evaluation_seconds_count{${condition}"validating"} 1`,
      `${prefix}match_condition_exclusions_total{${condition}"validate"} 1`,
    ]);
  });

  test('go on without a removed configuration', async () => {
    const { chain, caches, configure } = rig({ deny: () => ({ allowed: false }) });
    await configure('validating', 'a', [webhook('deny')]);
    caches.remove('admissionregistration.k8s.io', 'validatingwebhookconfigurations', '', 'a');
    await configure('validating', 'other', []);
    assert.ok(!chain.handles('CREATE', { group: '', resource: 'configmaps' }));
  });
});
