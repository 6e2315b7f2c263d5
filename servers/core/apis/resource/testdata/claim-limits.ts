import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

const group = 'resource.k8s.io';
const driver = 'driver.example.com';
const exactly = { deviceClassName: 'a' };
const request = (index: number): JsonObject => ({ name: `r${index}`, exactly });
const alternative = (index: number): JsonObject => ({ name: `s${index}`, deviceClassName: 'a' });
const selector = (expression = 'true'): JsonObject => ({ cel: { expression } });
/** A CEL expression of so many bytes. */
const expressionOf = (bytes: number): string => `'${'a'.repeat(bytes - 8)}' != ''`;
const config = (parameters: JsonValue): JsonObject => ({ opaque: { driver, parameters } });
const constraint = (index: number): JsonObject => ({ requests: ['r0'], matchAttribute: `a.b/c${index}` });
const toleration = (more: JsonObject): JsonValue => [{ key: 'k', operator: 'Exists', effect: 'NoSchedule', ...more }];

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(group, 'v1', 'resourceclaims', 'ResourceClaim', {
      spec: { devices: { requests: [request(0)] } },
    }),
    limits: [
      [
        'spec.devices.requests',
        times(32, request),
        times(33, request),
        'spec.devices.requests: Too many: 33: must have at most 32 items',
      ],
      [
        'spec.devices.requests',
        [request(0)],
        [request(0), request(0)],
        'spec.devices.requests[1]: Duplicate value: "r0"',
      ],
      [
        'spec.devices.requests[0]',
        request(0),
        { name: 'r0' },
        'spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
      ],
      [
        'spec.devices.requests[0]',
        request(0),
        { ...request(0), firstAvailable: [alternative(0)] },
        'spec.devices.requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set',
      ],
      [
        'spec.devices.requests[0]',
        { name: 'r0', firstAvailable: times(8, alternative) },
        { name: 'r0', firstAvailable: times(9, alternative) },
        'spec.devices.requests[0].firstAvailable: Too many: 9: must have at most 8 items',
      ],
      [
        'spec.devices.requests[0]',
        { name: 'r0', firstAvailable: [alternative(0)] },
        { name: 'r0', firstAvailable: [alternative(0), alternative(0)] },
        'spec.devices.requests[0].firstAvailable[1]: Duplicate value: "s0"',
      ],
      [
        'spec.devices.requests[0].name',
        'a'.repeat(63),
        'a'.repeat(64),
        'spec.devices.requests[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.devices.requests[0].exactly.deviceClassName',
        'a.b',
        '',
        'spec.devices.requests[0].exactly.deviceClassName: Required value',
      ],
      [
        'spec.devices.requests[0].exactly.count',
        1,
        -1,
        'spec.devices.requests[0].exactly.count: Invalid value: -1: must be greater than zero',
      ],
      [
        'spec.devices.requests[0].exactly.allocationMode',
        'All',
        'Other',
        'spec.devices.requests[0].exactly.allocationMode: Unsupported value: "Other": supported values: "All", "ExactCount"',
      ],
      [
        'spec.devices.requests[0].exactly',
        { deviceClassName: 'a', allocationMode: 'All' },
        { deviceClassName: 'a', allocationMode: 'All', count: 1 },
        "spec.devices.requests[0].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'",
      ],
      [
        'spec.devices.requests[0].exactly.selectors',
        times(32, () => selector()),
        times(33, () => selector()),
        'spec.devices.requests[0].exactly.selectors: Too many: 33: must have at most 32 items',
      ],
      [
        'spec.devices.requests[0].exactly.selectors',
        [selector()],
        [{}],
        'spec.devices.requests[0].exactly.selectors[0].cel: Required value',
      ],
      [
        'spec.devices.requests[0].exactly.selectors',
        [selector(expressionOf(10 * 1024))],
        [selector(expressionOf(10 * 1024 + 1))],
        'spec.devices.requests[0].exactly.selectors[0].cel.expression: Too long: may not be more than 10240 bytes',
      ],
      [
        'spec.devices.requests[0].exactly.tolerations',
        toleration({}),
        toleration({ value: 'a' }),
        'spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "a": must be empty for operator `Exists`',
      ],
      [
        'spec.devices.requests[0].exactly.tolerations',
        toleration({ operator: 'Equal', value: 'a' }),
        toleration({ operator: 'Equal', value: 'a b' }),
        `spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
      [
        'spec.devices.requests[0].exactly.tolerations',
        toleration({ effect: 'None' }),
        toleration({ effect: 'Other', operator: 'Other' }),
        'spec.devices.requests[0].exactly.tolerations[0].effect: Unsupported value: "Other": supported values: "NoExecute", "NoSchedule", "None"',
        'spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: "Other": supported values: "Equal", "Exists"',
      ],
      [
        'spec.devices.constraints',
        times(32, constraint),
        times(33, constraint),
        'spec.devices.constraints: Too many: 33: must have at most 32 items',
      ],
      [
        'spec.devices.constraints',
        times(1, constraint),
        [{ requests: ['r1'], matchAttribute: 'a' }],
        'spec.devices.constraints[0].matchAttribute: Invalid value: "a": a fully qualified name must be a domain and a name separated by a slash',
        `spec.devices.constraints[0].requests[0]: Invalid value: "r1": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
      ],
      [
        'spec.devices.constraints',
        [{ distinctAttribute: 'a.b/c' }],
        [{}],
        'spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
      ],
      [
        'spec.devices.constraints',
        times(1, constraint),
        [{ requests: ['r0', 'r0', 'r0/s0', 'a/b/c'], matchAttribute: 'a.b/c' }],
        'spec.devices.constraints[0].requests[1]: Duplicate value: "r0"',
        `spec.devices.constraints[0].requests[2]: Invalid value: "r0/s0": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
        `spec.devices.constraints[0].requests[3]: Invalid value: "a/b/c": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
      ],
      [
        'spec.devices.config',
        times(32, () => config({})),
        times(33, () => config({})),
        'spec.devices.config: Too many: 33: must have at most 32 items',
      ],
      ['spec.devices.config', [config({})], [{}], 'spec.devices.config[0].opaque: Required value'],
      [
        'spec.devices.config',
        [config({})],
        [config('a')],
        'spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
      ],
      [
        'spec.devices.config',
        [config({})],
        [{ opaque: { driver: '' } }],
        'spec.devices.config[0].opaque.driver: Required value',
        'spec.devices.config[0].opaque.parameters: Required value',
      ],
      [
        'spec.devices.config',
        [config({ a: 'a'.repeat(10 * 1024 - 8) })],
        [config({ a: 'a'.repeat(10 * 1024 - 7) })],
        'spec.devices.config[0].opaque.parameters: Too long: may not be more than 10240 bytes',
      ],
    ],
  },
  {
    valid: recordedRequest(group, 'v1', 'deviceclasses', 'DeviceClass', { spec: {} }, false),
    limits: [
      [
        'spec.selectors',
        times(32, () => selector()),
        times(33, () => selector()),
        'spec.selectors: Too many: 33: must have at most 32 items',
      ],
      [
        'spec.config',
        times(32, () => config({})),
        times(33, () => config({})),
        'spec.config: Too many: 33: must have at most 32 items',
      ],
      [
        'spec.extendedResourceName',
        'a.b/c',
        'c',
        'spec.extendedResourceName: Invalid value: "c": must be a valid extended resource name',
      ],
    ],
    generations: [
      ['spec.selectors', [selector()], 2],
      ['spec.selectors', null, 1],
    ],
  },
];
