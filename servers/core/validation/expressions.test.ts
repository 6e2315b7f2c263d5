import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateDeviceClaimSpec, validateDeviceClass } from '#servers/core/apis/resource/claim-validation.ts';
import { resourceClaimStrategy } from '#servers/core/apis/resource/device-requests.ts';
import { SelectorCompilations } from '#servers/core/apis/resource/selector-compilations.ts';
import { defaultGates, defaultDependencies, expressionsOf } from '#servers/core/testing/default-dependencies.ts';
import { validateMutatingPolicy, validateValidatingPolicy } from '#shared/admission/registration/policy-validation.ts';
import { validateWebhookConfiguration } from '#shared/admission/registration/webhook-validation.ts';
import { fieldErrorText, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce, inSlices, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { OperationContext } from '#shared/registry/strategy.ts';

// Texts are those that the reference answers (test/conformance/replay, 07-validation; kube-apiserver 1.36.3).

const rules = {
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  },
  failurePolicy: 'Fail',
};

function policy(spec: JsonObject): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { ...rules, ...spec },
  };
}

const expressions = expressionsOf();
const saidOf = (errors: readonly FieldError[] | Steps<FieldError[]>): string[] =>
  ('next' in errors ? atOnce(errors) : errors).map((error) => fieldErrorText(error));
const expected =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

describe('validation of CEL expressions', () => {
  test('reports compile errors of a policy with the texts of cel-go', () => {
    const errors = saidOf(
      validateValidatingPolicy(
        policy({
          validations: [
            { expression: 'object.x >' },
            { expression: '1 + 1' },
            { expression: 'true', messageExpression: '5' },
          ],
          matchConditions: [{ name: 'c', expression: 'x' }],
        }),
        expressions,
      ),
    );
    assert.deepEqual(errors, [
      "spec.matchConditions[0].expression: Invalid value: \"x\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^",
      `spec.validations[0].expression: Invalid value: "object.x >": compilation failed: ERROR: <input>:1:11: Syntax error: mismatched input '<EOF>' expecting ${expected}\n | object.x >\n | ..........^`,
      'spec.validations[1].expression: Invalid value: "1 + 1": must evaluate to bool but got int',
      'spec.validations[2].messageExpression: Invalid value: "5": must evaluate to string but got int',
    ]);
  });

  test('resolves earlier variables with their types, and params only when the policy has a paramKind', () => {
    const variables = [
      { name: 'n', expression: 'has(object.data) ? size(object.data) : 0' },
      { name: 'm', expression: 'variables.n + 1' },
    ];
    assert.deepEqual(
      saidOf(
        validateValidatingPolicy(
          policy({
            paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
            variables,
            validations: [{ expression: 'variables.m <= int(params.data.max)' }],
          }),
          expressions,
        ),
      ),
      [],
    );
    const [refused = ''] = saidOf(
      validateValidatingPolicy(
        policy({ variables: variables.toReversed(), validations: [{ expression: 'true' }] }),
        expressions,
      ),
    );
    assert.match(refused, /^spec\.variables\[0\]\.expression: .*undefined field 'n'/);
    const [unknown = ''] = saidOf(
      validateValidatingPolicy(policy({ validations: [{ expression: 'params != null' }] }), expressions),
    );
    assert.match(unknown, /undeclared reference to 'params'/);
  });

  test('checks the result type of audit annotations and mutations', () => {
    assert.deepEqual(
      saidOf(validateValidatingPolicy(policy({ auditAnnotations: [{ key: 'k', valueExpression: '1' }] }), expressions)),
      [
        'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
      ],
    );
    const mutating = (mutation: JsonObject): string[] =>
      saidOf(validateMutatingPolicy(policy({ reinvocationPolicy: 'Never', mutations: [mutation] }), expressions));
    assert.deepEqual(
      mutating({
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 1}}' },
      }),
      [],
    );
    assert.deepEqual(
      mutating({ patchType: 'JSONPatch', jsonPatch: { expression: '[JSONPatch{op: "add", path: "/a", value: 1}]' } }),
      [],
    );
    // A field that a patch does not have: found by the live fuzzer, text of kube-apiserver v1.36.3.
    assert.deepEqual(
      mutating({
        patchType: 'JSONPatch',
        jsonPatch: { expression: '[JSONPatch{op: "add", path: "/a", v0alue: "b"}]' },
      }),
      [
        `spec.mutations[0].jsonPatch.expression: Invalid value: "[JSONPatch{op: \\"add\\", path: \\"/a\\", v0alue: \\"b\\"}]": compilation failed: ERROR: <input>:1:41: expected type of field 'v0alue' is '' but provided type is 'string'\n | [JSONPatch{op: "add", path: "/a", v0alue: "b"}]\n | ........................................^`,
      ],
    );
    assert.deepEqual(mutating({ patchType: 'JSONPatch', jsonPatch: { expression: 'true' } }), [
      'spec.mutations[0].jsonPatch.expression: Invalid value: "true": must evaluate to list(JSONPatch) but got bool',
    ]);
  });

  test('refuses params in match conditions of webhooks', () => {
    const webhook = {
      name: 'a.b.c',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://a' },
      matchConditions: [{ name: 'c', expression: 'params.x' }],
    };
    const [said = ''] = saidOf(
      validateWebhookConfiguration(
        {
          apiVersion: 'v1',
          kind: 'ValidatingWebhookConfiguration',
          metadata: { name: 'w' },
          webhooks: [webhook],
        },
        expressions,
      ),
    );
    assert.match(said, /^webhooks\[0\]\.matchConditions\[0\]\.expression: .*undeclared reference to 'params'/);
  });

  test('compiles device selectors and refuses them above the cost limit', () => {
    const request = (expression: string): JsonObject => ({
      devices: {
        requests: [
          {
            name: 'x',
            exactly: {
              deviceClassName: 'c',
              allocationMode: 'ExactCount',
              count: 1,
              selectors: [{ cel: { expression } }],
            },
          },
        ],
      },
    });
    const field = 'spec.devices.requests[0].exactly.selectors[0].cel.expression';
    const said = (expression: string): string[] =>
      saidOf(
        validateDeviceClaimSpec(request(expression), defaultGates, path('spec'), new SelectorCompilations(expressions)),
      );
    assert.deepEqual(said('device.driver == "a" && cel.bind(a, device.attributes["a"], has(a.b) && a.b)'), []);
    assert.deepEqual(said('nope('), [
      `${field}: Invalid value: "nope(": compilation failed: ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting ${expected.replace("'('", "'(', ')'")}\n | nope(\n | .....^`,
    ]);
    assert.deepEqual(said('1'), [`${field}: Invalid value: "1": must evaluate to bool or the unknown type, not int`]);
    const costly = ['a', 'b', 'c', 'd', 'e'].reduceRight(
      (inner, name) => `device.attributes.all(${name}, ${inner})`,
      'true',
    );
    assert.deepEqual(said(costly), [`${field}: Forbidden: too complex, exceeds cost limit`]);
  });

  test('yields to the event loop while it compiles 128 selectors of one claim', async () => {
    const expression = (index: number): string =>
      `device.driver == "${index}" && ${Array.from({ length: 60 }, (_, at) => `device.attributes["a${at}.b"].c == ${at}`).join(' || ')}`;
    const requests = Array.from({ length: 4 }, (_, at) => ({
      name: `r${at}`,
      exactly: {
        deviceClassName: 'c',
        allocationMode: 'ExactCount',
        count: 1,
        selectors: Array.from({ length: 32 }, (_unused, index) => ({
          cel: { expression: expression(at * 32 + index) },
        })),
      },
    }));
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name: 'c' },
      spec: { devices: { requests } },
    } as unknown as KubeObject;
    let turns = 0;
    let running = true;
    const turn = (): void => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    const steps = resourceClaimStrategy(defaultDependencies).validateInSteps?.(
      claim,
      undefined,
      {} as OperationContext,
    );
    assert.ok(steps !== undefined);
    await inSlices(steps);
    running = false;
    assert.ok(turns > 50, `${turns} turns`);
  });

  test('refuses functions newer than the compatibility version unless the old object uses them', () => {
    const older = expressionsOf('1.33');
    const deviceClass = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'c' },
      spec: { selectors: [{ cel: { expression: '[1, 2].distinct().size() == 2' } }] },
    } as KubeObject;
    assert.match(
      saidOf(atOnce(validateDeviceClass(deviceClass, older)))[0] ?? '',
      /undeclared reference to 'distinct'/,
    );
    assert.deepEqual(saidOf(atOnce(validateDeviceClass(deviceClass, older, deviceClass))), []);
    const validating = policy({ validations: [{ expression: '[1, 2].distinct().size() == 2' }] });
    assert.match(saidOf(validateValidatingPolicy(validating, older))[0] ?? '', /undeclared reference to 'distinct'/);
    assert.deepEqual(saidOf(validateValidatingPolicy(validating, older, validating)), []);
  });
});
