import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import { recordedTable } from '#shared/authorization/testing/recorded-attributes.ts';
import { AuthorizationConditions } from '#shared/authorization/webhook/match-conditions.ts';
import {
  decodeAuthorization,
  type AuthorizationConfiguration,
  type AuthorizationWebhook,
} from './authorization-configuration.ts';
import { loadAuthorization } from './load-authorization.ts';
import { authorizerTypes, validateAuthorization } from './validate-authorization.ts';
import { conditionErrors } from './validate-webhook.ts';

interface RecordedWebhook {
  readonly AuthorizedTTL: string;
  readonly CacheAuthorizedRequests: boolean;
  readonly UnauthorizedTTL: string;
  readonly CacheUnauthorizedRequests: boolean;
  readonly Timeout: string;
  readonly SubjectAccessReviewVersion: string;
  readonly MatchConditionSubjectAccessReviewVersion: string;
  readonly FailurePolicy: string;
  readonly ConnectionInfo: { readonly Type: string; readonly KubeConfigFile: string | null };
  readonly MatchConditions: readonly { readonly Expression: string }[] | null;
}

interface RecordedConfiguration {
  readonly authorizers:
    | readonly { readonly Type: string; readonly Name: string; readonly Webhook: RecordedWebhook | null }[]
    | null;
}

let folder: string;
let kubeconfig: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'authorization-'));
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, '');
});
after(() => rmSync(folder, { recursive: true }));

/** The recording has another name for files that are there. */
const named = (text: string): string => text.replaceAll('/FILE', kubeconfig);

function webhookOf(recorded: RecordedWebhook): AuthorizationWebhook {
  const { Type: type, KubeConfigFile: file } = recorded.ConnectionInfo;
  return {
    authorizedTtl: parseDuration(recorded.AuthorizedTTL),
    cacheAuthorizedRequests: recorded.CacheAuthorizedRequests,
    unauthorizedTtl: parseDuration(recorded.UnauthorizedTTL),
    cacheUnauthorizedRequests: recorded.CacheUnauthorizedRequests,
    timeout: parseDuration(recorded.Timeout),
    subjectAccessReviewVersion: recorded.SubjectAccessReviewVersion,
    matchConditionSubjectAccessReviewVersion: recorded.MatchConditionSubjectAccessReviewVersion,
    failurePolicy: recorded.FailurePolicy,
    connectionInfo: { type, ...(file !== null && { kubeConfigFile: named(file) }) },
    matchConditions: (recorded.MatchConditions ?? []).map(({ Expression }) => Expression),
  };
}

function configurationOf({ authorizers }: RecordedConfiguration): AuthorizationConfiguration {
  return {
    authorizers: (authorizers ?? []).map(({ Type: type, Name: name, Webhook: webhook }) => ({
      type,
      name,
      ...(webhook !== null && { webhook: webhookOf(webhook) }),
    })),
  };
}

const compiler = new AuthorizationConditions(true);
const withoutSelectors = new AuthorizationConditions(false);

describe('decodeAuthorization', () => {
  test("decodes and defaults all versions as in upstream's tests", () => {
    for (const { contents, configuration, error } of recordedTable<{
      contents: string;
      configuration?: RecordedConfiguration;
      error: string | null;
    }>('configuration', 'loads')) {
      if (configuration !== undefined)
        assert.deepEqual(decodeAuthorization(Buffer.from(contents)), configurationOf(configuration));
      else
        assert.throws(() => decodeAuthorization(Buffer.from(contents)), {
          message: `failed to load AuthorizationConfiguration from file: ${error}`,
        });
    }
  });

  test('refuses other kinds of configuration by their names', () => {
    const text = 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n';
    assert.throws(() => decodeAuthorization(Buffer.from(text)), {
      message:
        'failed to load AuthorizationConfiguration from file: expected AuthorizationConfiguration, got *apiserver.TracingConfiguration',
    });
  });
});

describe('validateAuthorization', () => {
  test("finds the errors of upstream's tests", () => {
    for (const line of recordedTable<{
      configuration: RecordedConfiguration;
      errors: readonly string[];
      known: readonly string[];
    }>('configuration', 'configurations')) {
      // Upstream's tests make up types; they stand for two of this server's.
      const isKnown = line.known.includes('Foo');
      const known = (text: string): string =>
        isKnown ? text.replaceAll('"Foo"', '"RBAC"').replaceAll('"Bar"', '"Node"') : text;
      const recorded = JSON.parse(known(JSON.stringify(line.configuration))) as RecordedConfiguration;
      const errors = atOnce(validateAuthorization(configurationOf(recorded), (text) => compiler.compile(text)));
      const listed = line.known.map((type) => JSON.stringify(type)).join(', ');
      const all = authorizerTypes.map((type) => JSON.stringify(type)).join(', ');
      assert.deepEqual(
        errors.map(fieldErrorText),
        line.errors.map((text) =>
          named(known(text.replace(`supported values: ${listed}`, `supported values: ${all}`))),
        ),
        JSON.stringify(line),
      );
    }
  });

  test("finds the errors of match conditions of upstream's tests", () => {
    for (const { conditions, errors } of recordedTable<{
      conditions: readonly { readonly expression: string }[] | null;
      errors: readonly string[];
    }>('configuration', 'conditions')) {
      const texts = (conditions ?? []).map((condition) => Object.values(condition)[0] ?? '');
      const isWithout = errors.some((text) => /undefined field '(?:field|label)Selector'/.test(text));
      const used = isWithout ? withoutSelectors : compiler;
      const found = atOnce(conditionErrors(texts, path('matchConditions'), (text) => used.compile(text)));
      assert.deepEqual(found.map(fieldErrorText), errors, JSON.stringify(texts));
    }
  });
});

describe('loadAuthorization', () => {
  const text = (...authorizers: readonly object[]): Buffer =>
    Buffer.from(
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthorizationConfiguration',
        authorizers,
      }),
    );
  const load = (bytes: Buffer, requiredTypes?: ReadonlySet<string>): ReturnType<typeof loadAuthorization> =>
    loadAuthorization(bytes, { readsSelectors: true, ...(requiredTypes && { requiredTypes }) });

  // Texts of LoadAndValidateData in pkg/kubeapiserver/authorizer.
  test('names other authorizers than webhooks by their types', async () => {
    await assert.rejects(load(text({ type: 'RBAC', name: 'roles' })), {
      message: 'expected name rbac for authorizer RBAC instead of roles',
    });
  });

  test('requires the types of the start after a reload', async () => {
    await assert.rejects(load(text({ type: 'AlwaysDeny', name: 'alwaysdeny' }), new Set(['RBAC', 'Node'])), {
      message: 'missing required types: [Node RBAC]',
    });
  });

  test('refuses a webhook of the own cluster', async () => {
    const webhook = {
      timeout: '1s',
      subjectAccessReviewVersion: 'v1',
      failurePolicy: 'Deny',
      connectionInfo: { type: 'InClusterConfig' },
    };
    await assert.rejects(load(text({ type: 'Webhook', name: 'a', webhook })), /InClusterConfig": is not allowed/);
  });
});
