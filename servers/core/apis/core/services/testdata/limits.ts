import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const port = (more: JsonObject): JsonObject[] => [{ port: 80, ...more }];
const affinity = (timeoutSeconds: number): JsonObject => ({ clientIP: { timeoutSeconds } });
const named = (name: string, number: number): JsonObject => ({ name, port: number });

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('', 'v1', 'services', 'Service', { spec: { ports: [{ port: 80 }] } }),
    limits: [
      [
        'spec.ports',
        port({ port: 1 }),
        port({ port: 0 }),
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.ports',
        port({ port: 65_535 }),
        port({ port: 65_536 }),
        'spec.ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.ports',
        port({ targetPort: 65_535 }),
        port({ targetPort: 65_536 }),
        'spec.ports[0].targetPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.ports',
        port({ targetPort: 'a'.repeat(15) }),
        port({ targetPort: 'a'.repeat(16) }),
        'spec.ports[0].targetPort: Invalid value: "aaaaaaaaaaaaaaaa": must be no more than 15 characters',
      ],
      [
        'spec.ports',
        port({ name: 'a'.repeat(63) }),
        port({ name: 'a'.repeat(64) }),
        'spec.ports[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'spec.ports',
        port({ protocol: 'SCTP' }),
        port({ protocol: 'ICMP' }),
        'spec.ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      ],
      ['spec.ports', port({}), [], 'spec.ports: Required value'],
      [
        'spec.ports',
        [named('a', 80), named('b', 81)],
        [named('a', 80), named('a', 81)],
        'spec.ports[1].name: Duplicate value: "a"',
      ],
      [
        'spec.ports',
        [named('a', 80), named('b', 81)],
        [{ port: 80 }, named('b', 81)],
        'spec.ports[0].name: Required value',
      ],
      [
        'spec.ports',
        [named('a', 80), named('b', 81)],
        [named('a', 80), named('b', 80)],
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
      [
        'spec.ports',
        port({ appProtocol: 'a.b/c' }),
        port({ appProtocol: 'a b' }),
        `spec.ports[0].appProtocol: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
      [
        'spec.type',
        'NodePort',
        'Other',
        'spec.type: Unsupported value: "Other": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
      [
        'spec.sessionAffinity',
        'ClientIP',
        'Header',
        'spec.sessionAffinity: Unsupported value: "Header": supported values: "ClientIP", "None"',
      ],
      [
        'spec.selector',
        { a: 'b'.repeat(63) },
        { a: 'b'.repeat(64) },
        'spec.selector: Invalid value: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb": must be no more than 63 bytes',
      ],
      [
        'spec.externalIPs',
        ['10.1.0.1'],
        ['127.0.0.1'],
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
      [
        'spec.internalTrafficPolicy',
        'Local',
        'Near',
        'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
      ],
      [
        'spec.trafficDistribution',
        'PreferClose',
        'PreferFar',
        'spec.trafficDistribution: Unsupported value: "PreferFar": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
      ['spec.ipFamilies', ['IPv4'], ['IPv4', 'IPv4'], 'spec.ipFamilies[1]: Duplicate value: "IPv4"'],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'services', 'Service', {
      spec: { ports: [{ port: 80 }], sessionAffinity: 'ClientIP' },
    }),
    limits: [
      [
        'spec.sessionAffinityConfig',
        affinity(1),
        affinity(0),
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
      ],
      [
        'spec.sessionAffinityConfig',
        affinity(86_400),
        affinity(86_401),
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'services', 'Service', {
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    }),
    limits: [
      [
        'spec.loadBalancerSourceRanges',
        ['10.0.0.0/32'],
        ['10.0.0.0/33'],
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        'spec.loadBalancerClass',
        'a.b/c',
        'a b',
        `spec.loadBalancerClass: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
      [
        'spec.externalTrafficPolicy',
        'Cluster',
        'Near',
        'spec.externalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
      ],
      [
        'spec.healthCheckNodePort',
        0,
        30_000,
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'services', 'Service', {
      spec: { type: 'ExternalName', externalName: 'a.example' },
    }),
    limits: [
      ['spec.externalName', 'a'.repeat(63), '', 'spec.externalName: Required value'],
      [
        'spec.externalName',
        'a.',
        'A',
        `spec.externalName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'endpoints', 'Endpoints', { subsets: [] }),
    limits: [
      [
        'subsets',
        [{ addresses: [{ ip: '10.1.0.1' }] }],
        [{ addresses: [] }],
        'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
      ],
      [
        'subsets',
        [{ addresses: [{ ip: '10.1.0.1' }] }],
        [{ addresses: [{ ip: '127.0.0.1' }] }],
        'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
      [
        'subsets',
        [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 65_535 }] }],
        [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 65_536 }] }],
        'subsets[0].ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'subsets',
        [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 1, name: 'a'.repeat(63) }] }],
        [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 1, name: 'a'.repeat(64) }] }],
        'subsets[0].ports[0].name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'subsets',
        [{ addresses: [{ ip: '10.1.0.1', hostname: 'a'.repeat(63) }] }],
        [{ addresses: [{ ip: '10.1.0.1', hostname: 'a'.repeat(64) }] }],
        'subsets[0].addresses[0].hostname: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      ],
      [
        'subsets',
        times(2, (i) => ({ addresses: [{ ip: '10.1.0.1', nodeName: `n${i}` }] })),
        [{ addresses: [{ ip: '10.1.0.1', nodeName: 'A' }] }],
        `subsets[0].addresses[0].nodeName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
  },
];
