import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const endpoint = { addresses: ['10.0.0.1'] };
const address = (index: number): string => `10.0.${index >> 8}.${index & 255}`;
const named = (index: number): JsonObject => ({ name: `a${index}` });

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', {
      addressType: 'IPv4',
      endpoints: [endpoint],
      ports: [{ name: 'a', port: 80, protocol: 'TCP' }],
    }),
    limits: [
      [
        'addressType',
        'IPv4',
        'Other',
        'addressType: Unsupported value: "Other": supported values: "FQDN", "IPv4", "IPv6"',
      ],
      ['addressType', 'IPv4', '', 'addressType: Required value'],
      ['addressType', 'IPv4', 'IPv6', 'endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address'],
      [
        'endpoints',
        times(1000, () => endpoint),
        times(1001, () => endpoint),
        'endpoints: Too many: 1001: must have at most 1000 items',
      ],
      [
        'endpoints[0].addresses',
        times(100, address),
        times(101, address),
        'endpoints[0].addresses: Too many: 101: must have at most 100 items',
      ],
      [
        'endpoints[0].addresses',
        ['10.0.0.1'],
        [],
        'endpoints[0].addresses: Required value: must contain at least 1 address',
      ],
      [
        'endpoints[0].addresses',
        ['10.0.0.1'],
        ['127.0.0.1'],
        'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
      [
        'endpoints[0].addresses',
        ['10.0.0.1'],
        ['169.254.0.1'],
        'endpoints[0].addresses[0]: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
      ],
      [
        'endpoints[0].addresses',
        ['10.0.0.1'],
        ['224.0.0.1'],
        'endpoints[0].addresses[0]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
      [
        'endpoints[0].addresses',
        ['10.0.0.1'],
        ['10.0.0'],
        'endpoints[0].addresses[0]: Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
      [
        'endpoints[0].nodeName',
        'a.b',
        'A',
        `endpoints[0].nodeName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      ['endpoints[0].hostname', 'a', 'a.b', 'endpoints[0].hostname: Invalid value: "a.b": must not contain dots'],
      [
        'endpoints[0].hints',
        { forZones: times(8, named) },
        { forZones: times(9, named) },
        'endpoints[0].hints.forZones: Too many: 9: must have at most 8 items',
      ],
      [
        'endpoints[0].hints',
        { forNodes: times(8, named) },
        { forNodes: times(9, named) },
        'endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items',
      ],
      [
        'endpoints[0].hints',
        { forZones: [named(0)] },
        { forZones: [named(0), named(0)] },
        'endpoints[0].hints.forZones[1].name: Duplicate value: "a0"',
      ],
      [
        'endpoints[0].hints',
        { forNodes: [named(0)] },
        { forNodes: [named(0), named(0)] },
        'endpoints[0].hints.forNodes[1].name: Duplicate value: "a0"',
      ],
      [
        'endpoints[0].hints',
        { forZones: [{ name: 'A' }] },
        { forZones: [{ name: 'a b' }] },
        `endpoints[0].hints.forZones[0].name: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      ],
      [
        'endpoints[0].hints',
        { forNodes: [{ name: 'a' }] },
        { forNodes: [{ name: 'A' }] },
        `endpoints[0].hints.forNodes[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      ['ports', times(20_000, named), times(20_001, named), 'ports: Too many: 20001: must have at most 20000 items'],
      ['ports', [named(0)], [named(0), named(0)], 'ports[1].name: Duplicate value: "a0"'],
      ['ports', [{ port: 80 }], [{ port: 80 }, { port: 81 }], 'ports[1].name: Duplicate value: ""'],
      [
        'ports[0].name',
        'a'.repeat(63),
        'a'.repeat(64),
        'ports[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'ports[0].protocol',
        'SCTP',
        'ICMP',
        'ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      ],
      [
        'ports[0].appProtocol',
        'a.b/c',
        'a b',
        `ports[0].appProtocol: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
    updates: [['addressType', 'IPv4', 'FQDN', 'addressType: Invalid value: "FQDN": field is immutable']],
    generations: [
      ['endpoints[0].addresses', ['10.0.0.2'], 2],
      ['endpoints[0].addresses', ['10.0.0.1'], 1],
    ],
  },
];
