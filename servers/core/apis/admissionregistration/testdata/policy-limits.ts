import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const group = 'admissionregistration.k8s.io';
const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const condition = (index: number): JsonObject => ({ name: `c${index}`, expression: 'true' });
const matchConstraints = { resourceRules: [rule] };
const annotation = (index: number): JsonObject => ({ key: `k${index}`, valueExpression: "'a'" });
const additions = "[JSONPatch{op: 'add', path: '/a', value: 1}]";
/** An annotation as the reference prints it. */
const goAnnotation = (index: number): JsonObject => ({ Key: `k${index}`, ValueExpression: "'a'" });
/** A CEL expression of so many bytes. */
const expressionOf = (bytes: number): string => `'${'a'.repeat(bytes - 2)}'`;

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(
      group,
      'v1',
      'validatingadmissionpolicies',
      'ValidatingAdmissionPolicy',
      { spec: { matchConstraints, validations: [{ expression: 'true' }] } },
      false,
    ),
    limits: [
      [
        'spec.failurePolicy',
        'Ignore',
        'Other',
        'spec.failurePolicy: Unsupported value: "Other": supported values: "Fail", "Ignore"',
      ],
      ['spec.matchConstraints', matchConstraints, null, 'spec.matchConstraints: Required value'],
      ['spec.matchConstraints.resourceRules', [rule], [], 'spec.matchConstraints.resourceRules: Required value'],
      [
        'spec.matchConstraints.matchPolicy',
        'Exact',
        'Other',
        'spec.matchConstraints.matchPolicy: Unsupported value: "Other": supported values: "Equivalent", "Exact"',
      ],
      [
        'spec.matchConstraints.resourceRules[0].resourceNames',
        ['a', 'b'],
        ['a', 'a'],
        'spec.matchConstraints.resourceRules[0].resourceNames[1]: Duplicate value: "a"',
      ],
      [
        'spec.matchConstraints.resourceRules[0].resourceNames',
        ['a'],
        ['a/b'],
        `spec.matchConstraints.resourceRules[0].resourceNames[0]: Invalid value: "a/b": may not contain '/'`,
      ],
      [
        'spec.matchConstraints.excludeResourceRules',
        [rule],
        [{ ...rule, operations: [] }],
        'spec.matchConstraints.excludeResourceRules[0].operations: Required value',
      ],
      [
        'spec.matchConditions',
        times(64, condition),
        times(65, condition),
        'spec.matchConditions: Too many: 65: must have at most 64 items',
      ],
      [
        'spec.paramKind',
        { apiVersion: 'v1', kind: 'ConfigMap' },
        { apiVersion: 'v1', kind: '' },
        'spec.paramKind.kind: Required value',
      ],
      [
        'spec.paramKind',
        { apiVersion: 'a.b/v1', kind: 'A' },
        { apiVersion: 'a.b/v1/c', kind: 'A' },
        'spec.paramKind.apiVersion: Invalid value: "a.b/v1/c": unexpected GroupVersion string: a.b/v1/c',
      ],
      [
        'spec.paramKind',
        { apiVersion: 'a.b/v1', kind: 'A' },
        { apiVersion: 'a_b/1', kind: 'A_' },
        `spec.paramKind.apiVersion: Invalid value: "1": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
        `spec.paramKind.apiVersion: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        `spec.paramKind.kind: Invalid value: "A_": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
      ],
      [
        'spec.paramKind',
        { apiVersion: 'a.b/v1', kind: 'A' },
        { apiVersion: 'a.b/', kind: 'A' },
        'spec.paramKind.apiVersion: Invalid value: "a.b/": version must be specified',
      ],
      [
        'spec.paramKind',
        { apiVersion: 'v1', kind: 'A' },
        { apiVersion: '', kind: 'A' },
        'spec.paramKind.apiVersion: Required value',
      ],
      [
        'spec.variables',
        [{ name: 'a', expression: '1' }],
        [{ name: '1a', expression: '1' }],
        'spec.variables[0].name: Invalid value: "1a": must be a valid CEL identifier',
      ],
      [
        'spec.variables',
        [{ name: 'a', expression: '1' }],
        [{ name: 'for', expression: '1' }],
        'spec.variables[0].name: Invalid value: "for": must be a valid CEL identifier',
      ],
      [
        'spec.variables',
        [{ name: 'a', expression: '1' }],
        [{ name: '', expression: ' ' }],
        'spec.variables[0].expression: Required value: expression is not specified',
        'spec.variables[0].name: Required value: name is not specified',
      ],
      [
        'spec.validations',
        [{ expression: 'true' }],
        [],
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
      ],
      [
        'spec.validations',
        [{ expression: 'true' }],
        [{ expression: ' ' }],
        'spec.validations[0].expression: Required value: expression is not specified',
      ],
      [
        'spec.validations[0].message',
        'a',
        'a\nb',
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
      ],
      [
        'spec.validations[0].message',
        '',
        ' ',
        'spec.validations[0].message: Invalid value: " ": must be non-empty if specified',
      ],
      [
        'spec.validations[0].messageExpression',
        "'a'",
        ' ',
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
      ],
      [
        'spec.validations[0].reason',
        'RequestEntityTooLarge',
        'NotFound',
        'spec.validations[0].reason: Unsupported value: "NotFound": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
      [
        'spec.auditAnnotations',
        times(20, annotation),
        times(21, annotation),
        `spec.auditAnnotations: Invalid value: ${JSON.stringify(times(21, goAnnotation))}: must not have more than 20 auditAnnotations`,
      ],
      [
        'spec.auditAnnotations',
        times(1, annotation),
        [annotation(1), annotation(1)],
        'spec.auditAnnotations[1].key: Duplicate value: "k1"',
      ],
      [
        'spec.auditAnnotations',
        times(1, annotation),
        [{ key: 'a b', valueExpression: "'a'" }],
        `spec.auditAnnotations[0].key: Invalid value: "recorded/a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
      [
        'spec.auditAnnotations',
        times(1, annotation),
        [{ key: 'a', valueExpression: '' }],
        'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
      ],
      [
        'spec.auditAnnotations',
        [{ key: 'a', valueExpression: expressionOf(5 * 1024) }],
        [{ key: 'a', valueExpression: expressionOf(5 * 1024 + 1) }],
        'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length',
      ],
    ],
    generations: [
      ['spec.failurePolicy', 'Ignore', 2],
      ['spec.failurePolicy', 'Fail', 1],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'validatingadmissionpolicybindings',
      'ValidatingAdmissionPolicyBinding',
      { spec: { policyName: 'a', validationActions: ['Deny'] } },
      false,
    ),
    limits: [
      ['spec.policyName', 'a.b', '', 'spec.policyName: Required value'],
      [
        'spec.policyName',
        'a.b',
        'A',
        `spec.policyName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.validationActions',
        ['Audit', 'Warn'],
        ['Deny', 'Warn'],
        'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
      [
        'spec.validationActions',
        ['Audit', 'Deny'],
        ['Deny', 'Deny'],
        'spec.validationActions[1]: Duplicate value: "Deny"',
      ],
      [
        'spec.validationActions',
        ['Audit'],
        ['Other'],
        'spec.validationActions[0]: Unsupported value: "Other": supported values: "Audit", "Deny", "Warn"',
      ],
      [
        'spec.validationActions',
        ['Audit'],
        [],
        'spec.validationActions: Required value: at least one validation action is required',
      ],
      [
        'spec.paramRef',
        { name: 'a', parameterNotFoundAction: 'Deny' },
        { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' },
        'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
        'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
      ],
      [
        'spec.paramRef',
        { selector: {}, parameterNotFoundAction: 'Allow' },
        { parameterNotFoundAction: 'Allow' },
        'spec.paramRef: Required value: one of name or selector must be specified',
      ],
      [
        'spec.paramRef',
        { name: 'a', parameterNotFoundAction: 'Deny' },
        { name: 'a' },
        'spec.paramRef.parameterNotFoundAction: Required value',
      ],
      [
        'spec.paramRef',
        { name: 'a', parameterNotFoundAction: 'Deny' },
        { name: 'a/b', parameterNotFoundAction: 'Other' },
        `spec.paramRef.name: Invalid value: "a/b": may not contain '/'`,
        'spec.paramRef.parameterNotFoundAction: Unsupported value: "Other": supported values: "Deny", "Allow"',
      ],
      [
        'spec.matchResources.matchPolicy',
        'Exact',
        'Other',
        'spec.matchResources.matchPolicy: Unsupported value: "Other": supported values: "Equivalent", "Exact"',
      ],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'mutatingadmissionpolicies',
      'MutatingAdmissionPolicy',
      {
        spec: {
          matchConstraints,
          reinvocationPolicy: 'Never',
          mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: additions } }],
        },
      },
      false,
    ),
    limits: [
      [
        'spec.reinvocationPolicy',
        'IfNeeded',
        'Always',
        'spec.reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
      ],
      [
        'spec.mutations',
        [{ patchType: 'JSONPatch', jsonPatch: { expression: additions } }],
        [],
        'spec.mutations: Required value: mutations must contain at least one item',
      ],
      [
        'spec.mutations[0].patchType',
        'JSONPatch',
        'ApplyConfiguration',
        'spec.mutations[0].applyConfiguration: Required value: must be specified when patchType is ApplyConfiguration',
        'spec.mutations[0].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
      ],
      [
        'spec.mutations[0].patchType',
        'JSONPatch',
        'Other',
        'spec.mutations[0].patchType: Unsupported value: "Other": supported values: "ApplyConfiguration", "JSONPatch"',
      ],
      [
        'spec.mutations[0].jsonPatch.expression',
        additions,
        ' ',
        'spec.mutations[0].jsonPatch.expression: Required value',
      ],
      [
        'spec.matchConstraints.resourceRules[0].operations',
        ['CONNECT'],
        ['DELETE'],
        'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ],
  },
];
