import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const mebibyte = 1024 * 1024;
const bytes = (count: number): string => Buffer.alloc(count).toString('base64');
const typed = (type: string, data: JsonObject): ReturnType<typeof recordedRequest> =>
  recordedRequest('', 'v1', 'secrets', 'Secret', { type, data });

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('', 'v1', 'secrets', 'Secret', {}),
    limits: [
      [
        'data',
        { a: bytes(mebibyte) },
        { a: bytes(mebibyte + 1) },
        'data: Too long: may not be more than 1048576 bytes',
      ],
      [
        'data',
        { ['a'.repeat(253)]: '' },
        { ['a'.repeat(254)]: '' },
        'data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
      ],
      ['data', { '.a': '' }, { '..a': '' }, `data[..a]: Invalid value: "..a": must not start with '..'`],
    ],
    updates: [
      ['type', 'Opaque', 'other', 'type: Invalid value: "other": field is immutable'],
      [
        'data',
        { a: bytes(mebibyte) },
        { a: bytes(mebibyte + 1) },
        'data: Too long: may not be more than 1048576 bytes',
      ],
    ],
  },
  {
    valid: typed('kubernetes.io/dockerconfigjson', { '.dockerconfigjson': bytes(0) }),
    limits: [
      [
        'data',
        { '.dockerconfigjson': 'e30=' },
        { '.dockerconfigjson': 'ew==' },
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": unexpected end of JSON input',
      ],
    ],
  },
  {
    valid: typed('kubernetes.io/dockercfg', { '.dockercfg': 'e30=' }),
    limits: [['data', { '.dockercfg': 'e30=' }, {}, 'data[.dockercfg]: Required value']],
  },
  {
    valid: typed('kubernetes.io/basic-auth', { username: 'YQ==' }),
    limits: [['data', { password: '' }, {}, 'data[password]: Required value', 'data[username]: Required value']],
  },
  {
    valid: typed('kubernetes.io/ssh-auth', { 'ssh-privatekey': 'YQ==' }),
    limits: [['data', { 'ssh-privatekey': 'YQ==' }, { 'ssh-privatekey': '' }, 'data[ssh-privatekey]: Required value']],
  },
  {
    valid: typed('kubernetes.io/tls', { 'tls.crt': '', 'tls.key': '' }),
    limits: [['data', { 'tls.crt': '', 'tls.key': '' }, { 'tls.crt': '' }, 'data[tls.key]: Required value']],
  },
  {
    valid: recordedRequest('', 'v1', 'configmaps', 'ConfigMap', {}),
    updates: [
      [
        'metadata.generateName',
        'a-',
        'AB-',
        `metadata.generateName: Invalid value: "AB-": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
    ],
    limits: [
      [
        'data',
        { a: 'a'.repeat(mebibyte) },
        { a: 'a'.repeat(mebibyte + 1) },
        '[]: Too long: may not be more than 1048576 bytes',
      ],
      [
        'binaryData',
        { a: bytes(mebibyte) },
        { a: bytes(mebibyte + 1) },
        '[]: Too long: may not be more than 1048576 bytes',
      ],
      [
        'data',
        { ['a'.repeat(253)]: '' },
        { ['a'.repeat(254)]: '' },
        'data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 253 characters',
      ],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'secrets', 'Secret', { data: { a: '' }, immutable: true }),
    limits: [],
    updates: [
      ['immutable', true, false, 'immutable: Forbidden: field is immutable when `immutable` is set'],
      ['data', { a: '' }, { b: '' }, 'data: Forbidden: field is immutable when `immutable` is set'],
    ],
  },
  {
    valid: recordedRequest('', 'v1', 'configmaps', 'ConfigMap', { data: { a: '' }, immutable: true }),
    limits: [],
    updates: [
      ['immutable', true, false, 'immutable: Forbidden: field is immutable when `immutable` is set'],
      ['data', { a: '' }, { b: '' }, 'data: Forbidden: field is immutable when `immutable` is set'],
      ['binaryData', null, { b: '' }, 'binaryData: Forbidden: field is immutable when `immutable` is set'],
    ],
  },
];
