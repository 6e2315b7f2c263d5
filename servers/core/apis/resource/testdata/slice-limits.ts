import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';

const group = 'resource.k8s.io';
const driver = 'driver.example.com';
const device = { name: 'd' };
const devices = (count: number, more: JsonObject = {}): JsonValue =>
  times(count, (index) => ({ name: `d${index}`, ...more }));
/** So many members with the names a0, a1 and on. */
const members = (count: number, value: (index: number) => JsonValue): JsonObject =>
  Object.fromEntries(times(count, (index) => [`a${index}`, value(index)]));
const texts = (count: number): string[] => times(count, (index) => `c${index}`);
const counters = (count: number): JsonObject => members(count, () => ({ value: '1' }));
const taint = (index: number): JsonObject => ({ key: `k${index}`, effect: 'NoSchedule' });
const consumption = (index: number): JsonObject => ({ counterSet: `s${index}`, counters: counters(1) });
/** A device whose capacity is shared under a policy for requests. */
const shared = (requestPolicy: JsonObject): JsonObject => ({
  name: 'd',
  allowMultipleAllocations: true,
  capacity: { a: { value: '20', requestPolicy } },
});
const options = (count: number): JsonValue => times(count, (index) => String(index + 1));
const bound = (conditions: JsonValue, failures: JsonValue): JsonObject => ({
  name: 'd',
  bindingConditions: conditions,
  bindingFailureConditions: failures,
});
/** A name of so many bytes that consists of labels. */
const longName = (bytes: number): string => `${'a.'.repeat(bytes >> 1)}${bytes % 2 === 1 ? 'a' : ''}`;

const slice = { driver, pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [device] };
const selecting = (value: string): JsonObject => ({
  nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: [value] }] }],
});

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(
      group,
      'v1',
      'resourceslices',
      'ResourceSlice',
      { spec: { driver, pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n', devices: [device] } },
      false,
    ),
    limits: [
      [
        'spec',
        { ...slice, nodeSelector: selecting('a') },
        { ...slice, nodeSelector: selecting('a b') },
        `spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values[0]: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
      ['spec.driver', 'a'.repeat(63), 'a'.repeat(64), 'spec.driver: Too long: may not be more than 63 bytes'],
      [
        'spec.pool.name',
        'a/b',
        'a/',
        `spec.pool.name: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.pool.name',
        `${longName(127)}/${longName(125)}`,
        `${longName(127)}/${longName(127)}`,
        'spec.pool.name: Too long: may not be more than 253 bytes',
      ],
      [
        'spec.pool.resourceSliceCount',
        1,
        0,
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
      ],
      ['spec.pool.generation', 0, -1, 'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero'],
      ['spec.devices', devices(128), devices(129), 'spec.devices: Too many: 129: must have at most 128 items'],
      [
        'spec.devices',
        devices(64, { taints: [taint(0)] }),
        devices(65, { taints: [taint(0)] }),
        'spec.devices: Too many: 65: must have at most 64 items',
      ],
      [
        'spec.devices',
        devices(64, { consumesCounters: [consumption(0)] }),
        devices(65, { consumesCounters: [consumption(0)] }),
        'spec.devices: Too many: 65: must have at most 64 items',
      ],
      ['spec.devices', [device], [device, device], 'spec.devices[1]: Duplicate value: "d"'],
      [
        'spec.devices[0].name',
        'a'.repeat(63),
        'a'.repeat(64),
        'spec.devices[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.devices[0].attributes',
        members(32, () => ({ int: 1 })),
        members(33, () => ({ int: 1 })),
        'spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32',
      ],
      [
        'spec.devices[0].capacity',
        members(32, () => ({ value: '1' })),
        members(33, () => ({ value: '1' })),
        'spec.devices[0]: Invalid value: 33: the total number of attributes and capacities must not exceed 32',
      ],
      [
        'spec.devices[0].attributes',
        { a: { int: 1 } },
        { a: { int: 1, bool: true } },
        'spec.devices[0].attributes[a]: Invalid value: {"IntValue":1,"BoolValue":true,"StringValue":null,"VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified',
      ],
      [
        'spec.devices[0].attributes',
        { a: { int: 1 } },
        { a: {} },
        'spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified',
      ],
      [
        'spec.devices[0].attributes',
        { a: { string: 'a'.repeat(64) } },
        { a: { string: 'a'.repeat(65) } },
        'spec.devices[0].attributes[a].string: Too long: may not be more than 64 bytes',
      ],
      [
        'spec.devices[0].attributes',
        { a: { version: '1.2.3' } },
        { a: { version: '1.2' } },
        'spec.devices[0].attributes[a].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0',
      ],
      [
        'spec.devices[0].attributes',
        { a: { version: `1.2.3-${'a'.repeat(58)}` } },
        { a: { version: `1.2.3-${'a'.repeat(59)}` } },
        'spec.devices[0].attributes[a].version: Too long: may not be more than 64 bytes',
      ],
      [
        'spec.devices[0].attributes',
        { ['a'.repeat(32)]: { int: 1 } },
        { ['a'.repeat(33)]: { int: 1 } },
        'spec.devices[0].attributes: Too long: may not be more than 32 bytes',
      ],
      [
        'spec.devices[0].attributes',
        { 'a.b/c': { int: 1 } },
        { '/c': { int: 1 } },
        'spec.devices[0].attributes: Invalid value: "": the domain must not be empty',
      ],
      [
        'spec.devices[0].attributes',
        { 'a.b/c': { int: 1 } },
        { 'a.b/': { int: 1 } },
        'spec.devices[0].attributes: Invalid value: "": the name must not be empty',
      ],
      [
        'spec.devices[0].attributes',
        { 'a.b/c': { int: 1 } },
        { 'A_/c-d': { int: 1 } },
        `spec.devices[0].attributes: Invalid value: "A_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        `spec.devices[0].attributes: Invalid value: "c-d": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')`,
      ],
      [
        'spec.devices[0].taints',
        times(16, taint),
        times(17, taint),
        'spec.devices[0].taints: Too many: 17: must have at most 16 items',
      ],
      [
        'spec.devices[0].taints',
        [taint(0)],
        [{ key: 'a b', value: 'c d', effect: 'Other' }],
        'spec.devices[0].taints[0].effect: Unsupported value: "Other": supported values: "NoExecute", "NoSchedule", "None"',
        `spec.devices[0].taints[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        `spec.devices[0].taints[0].value: Invalid value: "c d": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
      [
        'spec.devices[0].consumesCounters',
        times(2, consumption),
        times(3, consumption),
        'spec.devices[0].consumesCounters: Too many: 3: must have at most 2 items',
      ],
      [
        'spec.devices[0].consumesCounters',
        times(1, consumption),
        [consumption(0), consumption(0)],
        'spec.devices[0].consumesCounters[1]: Duplicate value: "s0"',
      ],
      [
        'spec.devices[0].consumesCounters',
        times(1, consumption),
        [{ counterSet: '', counters: {} }],
        'spec.devices[0].consumesCounters[0].counterSet: Required value',
        'spec.devices[0].consumesCounters[0].counters: Required value',
      ],
      [
        'spec.devices[0].nodeName',
        null,
        'n',
        'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
      [
        'spec.devices[0]',
        bound(texts(4), ['f0', 'f1', 'f2', 'f3']),
        bound(texts(5), ['f0']),
        'spec.devices[0].bindingConditions: Too many: 5: must have at most 4 items',
      ],
      [
        'spec.devices[0]',
        bound(['c0'], ['f0']),
        bound(['c0'], ['f0', 'f1', 'f2', 'f3', 'f4']),
        'spec.devices[0].bindingFailureConditions: Too many: 5: must have at most 4 items',
      ],
      [
        'spec.devices[0]',
        bound(['c0'], ['f0']),
        bound(['c0', 'c0'], ['f0', 'f0']),
        'spec.devices[0].bindingConditions[1]: Duplicate value: "c0"',
        'spec.devices[0].bindingFailureConditions[1]: Duplicate value: "f0"',
      ],
      [
        'spec.devices[0]',
        bound(['c0'], ['f0']),
        bound(['c0'], ['c0']),
        'spec.devices[0].bindingFailureConditions[0]: Invalid value: "c0": bindingFailureConditions must not overlap with bindingConditions',
      ],
      [
        'spec.devices[0]',
        bound(['c0'], ['f0']),
        bound(['c0'], []),
        'spec.devices[0].bindingFailureConditions: Invalid value: []: bindingFailureConditions are required to use bindingConditions',
      ],
      [
        'spec.devices[0]',
        bound(['c0'], ['f0']),
        bound([], ['f0']),
        'spec.devices[0].bindingConditions: Invalid value: []: bindingConditions are required to use bindingFailureConditions',
      ],
      [
        'spec.devices[0]',
        bound(['c0'], ['f0']),
        bound(['c 0'], ['f 0']),
        `spec.devices[0].bindingConditions[0]: Invalid value: "c 0": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
        `spec.devices[0].bindingFailureConditions[0]: Invalid value: "f 0": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
      [
        'spec.devices[0]',
        shared({ default: '1', validValues: options(10) }),
        shared({ default: '1', validValues: options(11) }),
        'spec.devices[0].capacity[a].requestPolicy.validValues: Invalid value: "1": default value is not valid according to the requestPolicy',
        'spec.devices[0].capacity[a].requestPolicy.validValues: Too many: 11: must have at most 10 items',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validValues: ['1', '2'] }),
        shared({ default: '2', validValues: ['2', '1'] }),
        'spec.devices[0].capacity[a].requestPolicy.validValues[1]: Invalid value: "1": values must be sorted in ascending order',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validValues: ['1', '2'] }),
        shared({ default: '1', validValues: ['1', '1'] }),
        'spec.devices[0].capacity[a].requestPolicy.validValues[1]: Duplicate value: "1"',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validValues: ['2', '20'] }),
        shared({ default: '2', validValues: ['2', '21'] }),
        'spec.devices[0].capacity[a].requestPolicy.validValues[1]: Invalid value: "21": option is larger than capacity value: 20',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validValues: ['2', '3'] }),
        shared({ default: '1', validValues: ['2', '3'] }),
        'spec.devices[0].capacity[a].requestPolicy.validValues: Invalid value: "1": default value is not valid according to the requestPolicy',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validValues: ['2'] }),
        shared({ validValues: ['2'] }),
        'spec.devices[0].capacity[a].requestPolicy.default: Required value: required when validValues is defined',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validRange: { min: '2' } }),
        shared({ default: '2', validRange: { min: '3' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.min: Invalid value: "2": default is less than min: 3',
      ],
      [
        'spec.devices[0]',
        shared({ default: '20', validRange: { min: '20' } }),
        shared({ default: '21', validRange: { min: '21' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.min: Invalid value: "21": min is larger than capacity value: 20',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validRange: { min: '2', max: '2' } }),
        shared({ default: '2', validRange: { min: '2', max: '1' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.max: Invalid value: "2": default is more than max: 1',
        'spec.devices[0].capacity[a].requestPolicy.validRange.max: Invalid value: "2": min is larger than max: 1',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validRange: { min: '2', max: '20' } }),
        shared({ default: '2', validRange: { min: '2', max: '21' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.max: Invalid value: "21": max is larger than capacity value: 20',
      ],
      [
        'spec.devices[0]',
        shared({ default: '5', validRange: { min: '2', max: '5' } }),
        shared({ default: '6', validRange: { min: '2', max: '5' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.max: Invalid value: "6": default is more than max: 5',
      ],
      [
        'spec.devices[0]',
        shared({ default: '5', validRange: { min: '2', max: '8', step: '3' } }),
        shared({ default: '6', validRange: { min: '2', max: '9', step: '3' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.step: Invalid value: "6": value is not a multiple of a given step (3) from (2)',
        'spec.devices[0].capacity[a].requestPolicy.validRange.step: Invalid value: "9": value is not a multiple of a given step (3) from (2)',
      ],
      [
        'spec.devices[0]',
        shared({ default: '20', validRange: { min: '2', step: '18' } }),
        shared({ default: '2', validRange: { min: '2', step: '19' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.step: Invalid value: "19": one step 21 is larger than capacity value: 20',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validRange: { min: '2' } }),
        shared({ default: '2', validRange: { max: '2' } }),
        'spec.devices[0].capacity[a].requestPolicy.validRange.min: Required value: required when validRange is defined',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validRange: { min: '2' } }),
        shared({ default: '2', validRange: { min: '2' }, validValues: ['2'] }),
        'spec.devices[0].capacity[a].requestPolicy: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
      ],
      [
        'spec.devices[0]',
        shared({ default: '2', validValues: ['2'] }),
        { ...shared({ default: '2', validValues: ['2'] }), allowMultipleAllocations: false },
        'spec.devices[0].capacity[a].requestPolicy: Forbidden: allowMultipleAllocations must be true',
      ],
    ],
    updates: [
      [
        'spec.driver',
        driver,
        'other.example.com',
        'spec.driver: Invalid value: "other.example.com": field is immutable',
      ],
      ['spec.pool.name', 'p', 'q', 'spec.pool.name: Invalid value: "q": field is immutable'],
      ['spec.nodeName', 'n', 'm', 'spec.nodeName: Invalid value: "m": field is immutable'],
    ],
    generations: [
      ['spec.pool.generation', 2, 2],
      ['spec.pool.generation', 1, 1],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'resourceslices',
      'ResourceSlice',
      {
        spec: {
          driver,
          pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
          nodeName: 'n',
          sharedCounters: [{ name: 's', counters: counters(1) }],
        },
      },
      false,
    ),
    limits: [
      ['spec.devices', null, [device], 'spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed'],
      [
        'spec.sharedCounters',
        times(8, (index) => ({ name: `s${index}`, counters: counters(1) })),
        times(9, (index) => ({ name: `s${index}`, counters: counters(1) })),
        'spec.sharedCounters: Too many: 9: must have at most 8 items',
      ],
      [
        'spec.sharedCounters[0].counters',
        counters(32),
        counters(33),
        'spec.sharedCounters[0].counters: Too many: 33: must have at most 32 items',
      ],
      ['spec.sharedCounters[0].counters', counters(1), {}, 'spec.sharedCounters[0].counters: Required value'],
      [
        'spec.sharedCounters[0].counters',
        counters(1),
        { 'a b': { value: '1' } },
        `spec.sharedCounters[0].counters: Invalid value: "a b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      ],
      ['spec.sharedCounters[0].name', 's', '', 'spec.sharedCounters[0].name: Required value'],
      [
        'spec.nodeName',
        'n',
        null,
        'spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required',
      ],
      [
        'spec.allNodes',
        null,
        true,
        'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
      ],
    ],
  },
];
