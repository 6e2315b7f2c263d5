import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const ingress = (port: JsonObject): JsonObject[] => [{ ports: [port] }];
const from = (ipBlock: JsonObject): JsonObject[] => [{ from: [{ ipBlock }] }];
const service = (port: JsonObject): JsonObject => ({ service: { name: 's', port } });
const rule = (path: JsonObject, host = 'a.example'): JsonObject[] => [
  { host, http: { paths: [{ pathType: 'Prefix', path: '/', backend: service({ number: 80 }), ...path }] } },
];

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', {
      spec: { podSelector: {} },
    }),
    limits: [
      [
        'spec.ingress',
        ingress({ port: 1 }),
        ingress({ port: 0 }),
        'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.ingress',
        ingress({ port: 65_535 }),
        ingress({ port: 65_536 }),
        'spec.ingress[0].ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.ingress',
        ingress({ port: 'a'.repeat(15) }),
        ingress({ port: 'a'.repeat(16) }),
        'spec.ingress[0].ports[0].port: Invalid value: "aaaaaaaaaaaaaaaa": must be no more than 15 characters',
      ],
      [
        'spec.ingress',
        ingress({ protocol: 'SCTP' }),
        ingress({ protocol: 'ICMP' }),
        'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
      ],
      [
        'spec.ingress',
        ingress({ port: 80, endPort: 80 }),
        ingress({ port: 80, endPort: 79 }),
        'spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
      ],
      [
        'spec.ingress',
        ingress({ port: 80, endPort: 65_535 }),
        ingress({ port: 80, endPort: 65_536 }),
        'spec.ingress[0].ports[0].endPort: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.ingress',
        ingress({ port: 80, endPort: 81 }),
        ingress({ endPort: 81 }),
        'spec.ingress[0].ports[0].endPort: Invalid value: 81: may not be specified when `port` is not specified',
      ],
      [
        'spec.ingress',
        from({ cidr: '10.0.0.0/32' }),
        from({ cidr: '10.0.0.0/33' }),
        'spec.ingress[0].from[0].ipBlock.cidr: Invalid value: "10.0.0.0/33": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
      [
        'spec.ingress',
        from({ cidr: '10.0.0.0/8', except: ['10.0.0.0/9'] }),
        from({ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }),
        'spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
      ],
      [
        'spec.ingress',
        [{ from: [{ podSelector: {} }] }],
        [{ from: [{}] }],
        'spec.ingress[0].from[0]: Required value: must specify a peer',
      ],
      [
        'spec.policyTypes',
        ['Ingress', 'Egress'],
        ['Ingress', 'Egress', 'Ingress'],
        'spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes',
      ],
      [
        'spec.policyTypes',
        ['Egress'],
        ['Both'],
        'spec.policyTypes[0]: Unsupported value: "Both": supported values: "Ingress", "Egress"',
      ],
    ],
    generations: [
      ['metadata.annotations', { a: 'b' }, 1],
      ['spec.policyTypes', ['Egress'], 2],
    ],
  },
  {
    valid: recordedRequest('networking.k8s.io', 'v1', 'ingresses', 'Ingress', { spec: { rules: rule({}) } }),
    limits: [
      [
        'spec.rules',
        rule({ pathType: 'ImplementationSpecific', path: '' }),
        rule({ path: 'a' }),
        'spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path',
      ],
      [
        'spec.rules',
        rule({ path: '/a' }),
        rule({ path: '/a//b' }),
        `spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain '//'`,
      ],
      [
        'spec.rules',
        rule({ path: '/a' }),
        rule({ path: '/../b' }),
        `spec.rules[0].http.paths[0].path: Invalid value: "/../b": must not contain '/../'`,
      ],
      [
        'spec.rules',
        rule({ pathType: 'Exact' }),
        rule({ pathType: 'Regex' }),
        'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
      [
        'spec.rules',
        rule({ backend: service({ number: 65_535 }) }),
        rule({ backend: service({ number: 65_536 }) }),
        'spec.rules[0].http.paths[0].backend.service.port.number: Invalid value: 65536: must be between 1 and 65535, inclusive',
      ],
      [
        'spec.rules',
        rule({ backend: service({ name: 'a'.repeat(15) }) }),
        rule({ backend: service({ name: 'a'.repeat(16) }) }),
        'spec.rules[0].http.paths[0].backend.service.port.name: Invalid value: "aaaaaaaaaaaaaaaa": must be no more than 15 characters',
      ],
      [
        'spec.rules',
        rule({ backend: service({ number: 1 }) }),
        rule({ backend: service({ number: 1, name: 'a' }) }),
        'spec.rules[0].http.paths[0].backend: Invalid value: "": cannot set both port name & port number',
      ],
      [
        'spec.rules',
        rule({}, '*.example'),
        rule({}, 'a.*.example'),
        `spec.rules[0].host: Invalid value: "a.*.example": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.rules',
        rule({}, 'a.example'),
        rule({}, '10.0.0.1'),
        'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
      ],
      ['spec.rules', rule({}), [], 'spec: Invalid value: []: either `defaultBackend` or `rules` must be specified'],
      [
        'spec.tls',
        [{ hosts: ['a.example'] }],
        [{ hosts: ['A'] }],
        `spec.tls[0].hosts[0]: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.ingressClassName',
        'a',
        'A',
        `spec.ingressClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    generations: [
      ['metadata.annotations', { a: 'b' }, 1],
      ['spec.ingressClassName', 'a', 2],
    ],
  },
  {
    valid: recordedRequest(
      'networking.k8s.io',
      'v1',
      'ingressclasses',
      'IngressClass',
      { spec: { controller: 'a.b/c' } },
      false,
    ),
    limits: [
      [
        'spec.controller',
        `a/${'b'.repeat(248)}`,
        `a/${'b'.repeat(249)}`,
        'spec.controller: Too long: may not be more than 250 bytes',
      ],
      [
        'spec.parameters',
        { kind: 'K', name: 'n' },
        { kind: 'K', name: 'n', scope: 'Namespace' },
        "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
      ],
      ['spec.parameters', { kind: 'K', name: 'n' }, { kind: 'K', name: '' }, 'spec.parameters.name: Required value'],
    ],
    updates: [['spec.controller', 'a.b/c', 'a.b/d', 'spec.controller: Invalid value: "a.b/d": field is immutable']],
    generations: [['spec.parameters', { kind: 'K', name: 'n', scope: 'Cluster' }, 2]],
  },
];
