import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { AdmissionRounds } from '#shared/admission/contract/admission.ts';
import { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import type { MatchOutcome } from '#shared/admission/expressions/match-conditions.ts';
import { podAttributes } from '#shared/admission/testing/attributes.ts';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { readTable } from '#shared/admission/testing/read-table.ts';
import { attributesOf, type RecordedError, type RecordedRequest } from '#shared/admission/testing/recorded-request.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { StatusError, type Status } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { doneWith, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { webhookTarget } from '#shared/webhooks/client-config.ts';
import { WebhookCallError } from '#shared/webhooks/webhook-call-error.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import { admissionReview, admissionReviewVersionOf, type AdmissionReviewVersion } from './admission-review.ts';
import { compileConfiguration } from './admission-webhook.ts';
import { webhookPatchText } from './apply-webhook-patch.ts';
import { CallAnnotations } from './audit-annotations.ts';
import { WebhookMatcher } from './match-webhook.ts';
import { Webhooks } from './open-webhooks.ts';
import { verifyReview, type AdmissionResponse } from './review-answer.ts';
import { webhookDenial } from './webhook-failure.ts';

interface RecordedDispatch {
  readonly kind: 'mutating' | 'validating';
  readonly configuration: string;
  readonly webhooks: readonly JsonObject[];
  readonly attributes: RecordedRequest;
  readonly error: RecordedError;
  readonly annotations: Readonly<Record<string, string>> | null;
  /** The object, of a mutating one, and whether the mutating plugins are to run again. */
  readonly object?: JsonObject;
  readonly isAgainNeeded?: boolean;
}

/** What a webhook of upstream's tests answers; of others {@link RecordedFailure} tells why a call failed. */
interface RecordedAnswer {
  readonly path: string;
  readonly body: string;
}

interface RecordedFailure {
  readonly client: JsonObject;
  readonly error: string;
}

const facts = loadFacts();
const reviewType = facts.schema('admission.k8s.io', 'v1', 'AdmissionReview') ?? assert.fail('no type');
const here = import.meta.url;
const answers = new Map(readTable<RecordedAnswer>(here, 'webhook-answers').map(({ path, body }) => [path, body]));
const failedCall = 'failed to call webhook: ';
const failures = new Map(
  readTable<RecordedFailure>(here, 'webhook-calls')
    .filter(({ error }) => error.startsWith(failedCall))
    .map(({ client, error }) => [webhookTarget(client).path, error.slice(failedCall.length)]),
);

/** A client of the webhooks of upstream's tests. */
const client: Pick<WebhookClient, 'call'> = {
  call: ({ path }) => {
    const body = answers.get(path);
    const failure = failures.get(path);
    if (body === undefined && failure === undefined) assert.fail(`${path} is not called`);
    return body === undefined
      ? Promise.reject(new WebhookCallError(failure ?? ''))
      : Promise.resolve(Buffer.from(body));
  },
};

function pluginsWith({ kind, configuration, webhooks, attributes }: RecordedDispatch): Webhooks {
  const caches = new FakeCaches();
  caches.put('', 'namespaces', { metadata: { name: attributes.namespace, labels: { runlevel: '0' } } });
  caches.put('admissionregistration.k8s.io', `${kind}webhookconfigurations`, {
    metadata: { name: configuration },
    webhooks: [...webhooks],
  });
  return new Webhooks({
    caches,
    authorize: () => ({ allowed: true, reason: '' }),
    reportError: (message, error) => assert.fail(`${message}: ${String(error)}`),
    caller: {
      clients: { mutating: client as WebhookClient, validating: client as WebhookClient },
      reviewType,
    },
  });
}

/** Go's objects lose the names of their type where they are converted. */
function withoutType({ kind: _, apiVersion: __, ...rest }: JsonObject): JsonObject {
  return rest;
}

function isServed({ equivalents = [] }: RecordedRequest): boolean {
  return equivalents.every(({ kind }) => kind.kind !== '');
}

describe("upstream's tables of admission webhooks", () => {
  test('whether webhooks are called', async () => {
    interface Line {
      readonly webhook: JsonObject;
      readonly attributes: RecordedRequest;
      readonly match?: ResourceMatch;
      readonly conditions?: { readonly matches: false } | { readonly matches: true; readonly error?: string };
      readonly error?: Status;
    }
    // Upstream registers a resource without a kind to see an error of a mapper.
    const lines = readTable<Line>(here, 'webhook-matches').filter(({ attributes }) => isServed(attributes));
    for (const { webhook, attributes, match, conditions, error } of lines) {
      const outcome: MatchOutcome | undefined =
        conditions !== undefined && 'error' in conditions ? { error: conditions.error } : conditions;
      const steps = compileConfiguration({ metadata: {}, webhooks: [webhook] }, () =>
        doneWith(outcome === undefined ? undefined : () => doneWith(outcome)),
      );
      const [compiled = assert.fail()] = await inSlices(steps);
      const namespaces = new ObjectLister(new FakeCaches(), '', 'namespaces');
      const matcher = new WebhookMatcher(attributesOf(attributes), namespaces, () => ({ allowed: true, reason: '' }));
      const found = await matcher.match(compiled).catch((caught: unknown) => caught);
      assert.deepEqual(found instanceof StatusError ? found.status : found, error ?? match, JSON.stringify(webhook));
    }
    assert.ok(lines.length > 13);
  });

  test('reviews', async () => {
    interface Line {
      readonly versions: readonly string[] | null;
      readonly version?: AdmissionReviewVersion;
      readonly attributes?: RecordedRequest;
      readonly match?: ResourceMatch;
      readonly review?: JsonObject;
    }
    for (const { versions, version, attributes: request, match, review } of readTable<Line>(here, 'reviews')) {
      assert.equal(admissionReviewVersionOf(versions ?? []), version);
      if (version === undefined || request === undefined || match === undefined) continue;
      const attributes = attributesOf(request);
      const { object, oldObject } = attributes;
      const versioned = { attributes, kind: match.kind, schema: attributes.versions.schema(attributes.kind) };
      const made = await inSlices(admissionReview(version, { ...versioned, object, oldObject }, match));
      const { uid, ...plain } = (JSON.parse(made.text) as { readonly request: JsonObject }).request;
      assert.equal(uid, made.uid);
      assert.deepEqual(plain, review);
    }
  });

  test('answers to reviews', async () => {
    interface Line {
      readonly uid: string;
      readonly version: AdmissionReviewVersion;
      readonly mutating: boolean;
      readonly review: JsonObject;
      readonly error: string | null;
      readonly response?: Readonly<Record<string, JsonValue>>;
    }
    const lines = readTable<Line>(here, 'review-answers');
    for (const { uid, version, mutating, review, error, response } of lines) {
      const verify = (): AdmissionResponse => verifyReview(review, { uid, version, text: '' }, mutating);
      if (error !== null) assert.throws(verify, { message: error });
      if (response === undefined) continue;
      const { allowed, auditAnnotations, warnings, patch, patchType, result } = verify();
      assert.deepEqual(
        { allowed, auditAnnotations, warnings, patch, patchType, result },
        {
          allowed: response['Allowed'],
          auditAnnotations: response['AuditAnnotations'] ?? {},
          warnings: response['Warnings'] ?? [],
          patch: response['Patch'] ?? '',
          patchType: response['PatchType'],
          result: response['Result'] ?? undefined,
        },
        JSON.stringify(review),
      );
    }
    assert.ok(lines.length > 25);
  });

  test('Status objects of denials', () => {
    interface Line {
      readonly webhook: string;
      readonly result: JsonObject | null;
      readonly error: Status;
    }
    for (const { webhook, result, error } of readTable<Line>(here, 'denials'))
      assert.deepEqual(webhookDenial(webhook, result ?? undefined).status, error);
  });

  test('values of audit annotations', async () => {
    interface Line {
      readonly configuration: string;
      readonly webhook: string;
      readonly mutated?: boolean;
      readonly patch?: readonly JsonObject[];
      readonly value: string;
    }
    for (const { configuration, webhook: name, mutated, patch, value } of readTable<Line>(here, 'annotation-values')) {
      const values: string[] = [];
      const attributes = podAttributes({ addAuditAnnotation: (_, given) => void values.push(given) });
      const annotations = new CallAnnotations(attributes, 0, 0, { configuration, name });
      if (mutated !== undefined) annotations.mutated(mutated);
      if (patch !== undefined) annotations.patched(await inSlices(webhookPatchText(patch)));
      assert.deepEqual(values, [value]);
    }
  });

  test('requests and what becomes of them', async () => {
    const lines = readTable<RecordedDispatch>(here, 'webhooks');
    for (const line of lines) {
      const annotations: Record<string, string> = {};
      const attributes = attributesOf(line.attributes, {
        addAuditAnnotation: (key, value) => void (annotations[key] = value),
      });
      let isAgainNeeded = false;
      const rounds: AdmissionRounds = { isSecond: false, kept: new Map(), requestSecond: () => (isAgainNeeded = true) };
      const plugins = pluginsWith(line);
      const named = plugins.plugins();
      const name = line.kind === 'mutating' ? 'MutatingAdmissionWebhook' : 'ValidatingAdmissionWebhook';
      const plugin = named[name]?.() ?? assert.fail('no plugin');
      await plugins.ready();
      let error: RecordedError = null;
      try {
        await (line.kind === 'mutating' ? plugin.admit?.(attributes, rounds) : plugin.validate?.(attributes));
      } catch (caught) {
        assert.ok(caught instanceof StatusError, String(caught));
        error = caught.status;
      }
      plugins.close();
      const shown = JSON.stringify(line);
      assert.deepEqual(error, line.error, shown);
      assert.deepEqual(annotations, line.annotations ?? {}, shown);
      if (line.object === undefined || attributes.object === undefined) continue;
      const schema = attributes.versions.schema(attributes.kind);
      const object = JSON.parse(await inSlices(jsonTextInSteps(schema, attributes.object))) as JsonObject;
      assert.deepEqual(withoutType(object), withoutType(line.object), shown);
      assert.equal(isAgainNeeded, line.isAgainNeeded, shown);
    }
    assert.ok(lines.length > 70);
  });
});
