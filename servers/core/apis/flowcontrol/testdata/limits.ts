import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const group = 'flowcontrol.apiserver.k8s.io';
const resourceRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['a'] };
const subject = { kind: 'User', user: { name: 'a' } };
const queuing = (queues: number, handSize: number, queueLengthLimit = 50): JsonObject => ({
  type: 'Queue',
  queuing: { queues, handSize, queueLengthLimit },
});

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest(
      group,
      'v1',
      'flowschemas',
      'FlowSchema',
      {
        spec: {
          matchingPrecedence: 1000,
          priorityLevelConfiguration: { name: 'a' },
          rules: [
            {
              subjects: [subject],
              resourceRules: [resourceRule],
              nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
            },
          ],
        },
      },
      false,
    ),
    limits: [
      [
        'spec.matchingPrecedence',
        2,
        1,
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      ],
      [
        'spec.matchingPrecedence',
        10_000,
        10_001,
        'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
      ],
      ['spec.matchingPrecedence', 2, -1, 'spec.matchingPrecedence: Invalid value: -1: must be a positive value'],
      [
        'spec.priorityLevelConfiguration.name',
        'a.b',
        '',
        'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
      ],
      [
        'spec.priorityLevelConfiguration.name',
        'a.b',
        'A',
        `spec.priorityLevelConfiguration.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
      ],
      [
        'spec.distinguisherMethod',
        { type: 'ByUser' },
        { type: 'Other' },
        'spec.distinguisherMethod.type: Unsupported value: {"Type":"Other"}: supported values: "ByNamespace", "ByUser"',
      ],
      [
        'spec.rules[0].subjects',
        [subject],
        [],
        'spec.rules[0].subjects: Required value: subjects must contain at least one value',
      ],
      [
        'spec.rules[0].subjects',
        [subject],
        [{ kind: 'Other' }],
        'spec.rules[0].subjects[0].kind: Unsupported value: "Other": supported values: "Group", "ServiceAccount", "User"',
      ],
      [
        'spec.rules[0].subjects',
        [subject],
        [{ kind: 'User' }],
        "spec.rules[0].subjects[0].user: Required value: user is required when subject kind is 'User'",
      ],
      [
        'spec.rules[0].subjects',
        [subject],
        [{ ...subject, group: { name: 'a' } }],
        "spec.rules[0].subjects[0].group: Forbidden: group is forbidden when subject kind is not 'Group'",
      ],
      [
        'spec.rules[0].subjects',
        [{ kind: 'Group', group: { name: '*' } }],
        [{ kind: 'Group', group: { name: '' } }],
        'spec.rules[0].subjects[0].group.name: Required value',
      ],
      [
        'spec.rules[0].subjects',
        [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'a' } }],
        [{ kind: 'ServiceAccount', serviceAccount: { name: 'A', namespace: 'a.b' } }],
        `spec.rules[0].subjects[0].serviceAccount.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
        'spec.rules[0].subjects[0].serviceAccount.namespace: Invalid value: "a.b": must not contain dots',
      ],
      [
        'spec.rules[0].subjects',
        [{ kind: 'ServiceAccount', serviceAccount: { name: 'a', namespace: 'a' } }],
        [{ kind: 'ServiceAccount', serviceAccount: { name: '', namespace: '' } }],
        'spec.rules[0].subjects[0].serviceAccount.name: Required value',
        'spec.rules[0].subjects[0].serviceAccount.namespace: Required value: must specify namespace for service account',
      ],
      [
        'spec.rules[0]',
        { subjects: [subject], resourceRules: [resourceRule] },
        { subjects: [subject] },
        'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
      ],
      [
        'spec.rules[0].resourceRules[0].verbs',
        ['*'],
        ['*', 'get'],
        `spec.rules[0].resourceRules[0].verbs: Invalid value: ["*","get"]: if '*' is present, must not specify other verbs`,
      ],
      [
        'spec.rules[0].resourceRules[0].verbs',
        ['watch'],
        ['other'],
        'spec.rules[0].resourceRules[0].verbs: Unsupported value: ["other"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      ],
      [
        'spec.rules[0].resourceRules[0].verbs',
        ['proxy'],
        [],
        'spec.rules[0].resourceRules[0].verbs: Required value: verbs must contain at least one value',
      ],
      [
        'spec.rules[0].resourceRules[0].apiGroups',
        ['*'],
        ['*', 'apps'],
        `spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*","apps"]: if '*' is present, must not specify other api groups`,
      ],
      [
        'spec.rules[0].resourceRules[0].apiGroups',
        [''],
        [],
        'spec.rules[0].resourceRules[0].apiGroups: Required value: resource rules must supply at least one api group',
      ],
      [
        'spec.rules[0].resourceRules[0].resources',
        ['*'],
        ['*', 'pods'],
        `spec.rules[0].resourceRules[0].resources: Invalid value: ["*","pods"]: if '*' is present, must not specify other resources`,
      ],
      [
        'spec.rules[0].resourceRules[0].resources',
        ['a'],
        [],
        'spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
      ],
      [
        'spec.rules[0].resourceRules[0].namespaces',
        ['*'],
        ['*', 'a'],
        `spec.rules[0].resourceRules[0].namespaces: Invalid value: ["*","a"]: if '*' is present, must not specify other namespaces`,
      ],
      [
        'spec.rules[0].resourceRules[0].namespaces',
        ['a'],
        ['a.b'],
        `spec.rules[0].resourceRules[0].namespaces[0]: Invalid value: "a.b": each member of this list must be '*' or a DNS-1123 label; must not contain dots`,
      ],
      [
        'spec.rules[0].resourceRules[0].namespaces',
        ['a'],
        [],
        'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      ],
      [
        'spec.rules[0].nonResourceRules[0].verbs',
        ['*'],
        ['other'],
        'spec.rules[0].nonResourceRules[0].verbs: Unsupported value: ["other"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      ],
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs',
        ['*'],
        ['*', '/a'],
        `spec.rules[0].nonResourceRules[0].nonResourceURLs: Invalid value: ["*","/a"]: if '*' is present, must not specify other non-resource URLs`,
      ],
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs',
        ['/'],
        [],
        'spec.rules[0].nonResourceRules[0].nonResourceURLs: Required value: nonResourceURLs must contain at least one value',
      ],
      [
        'spec.rules[0].nonResourceRules[0].nonResourceURLs',
        ['/a/*'],
        ['', 'a', '/a b', '//', '/a*', '/*/*'],
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "": must not be empty',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "a": must start with slash',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[2]: Invalid value: "/a b": must not contain white-space',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[3]: Invalid value: "//": must not contain double slash',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[4]: Invalid value: "/a*": wildcard can only do suffix matching',
        'spec.rules[0].nonResourceRules[0].nonResourceURLs[5]: Invalid value: "/*/*": wildcard can only do suffix matching',
      ],
    ],
  },
  {
    valid: recordedRequest(
      group,
      'v1',
      'prioritylevelconfigurations',
      'PriorityLevelConfiguration',
      { spec: { type: 'Limited', limited: { limitResponse: queuing(64, 8) } } },
      false,
    ),
    limits: [
      [
        'spec',
        { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
        { type: 'Exempt' },
        `spec.type: Invalid value: "Exempt": must be 'Exempt' if and only if \`name\` is 'exempt'`,
      ],
      [
        'spec',
        { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
        { type: 'Other' },
        'spec.type: Unsupported value: "Other": supported values: "Exempt", "Limited"',
      ],
      [
        'spec.limited',
        { limitResponse: { type: 'Reject' } },
        null,
        'spec.limited: Required value: must not be empty when type is Limited',
      ],
      ['spec.exempt', null, {}, 'spec.exempt: Forbidden: must be nil if the type is Limited'],
      [
        'spec.limited.nominalConcurrencyShares',
        0,
        -1,
        'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
      ],
      [
        'spec.limited.lendablePercent',
        100,
        101,
        'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      ],
      [
        'spec.limited.lendablePercent',
        0,
        -1,
        'spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive',
      ],
      [
        'spec.limited.borrowingLimitPercent',
        0,
        -1,
        'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
      ],
      [
        'spec.limited.limitResponse',
        { type: 'Reject' },
        { type: 'Other' },
        'spec.limited.limitResponse.type: Unsupported value: "Other": supported values: "Queue", "Reject"',
      ],
      [
        'spec.limited.limitResponse',
        { type: 'Reject' },
        { ...queuing(64, 8), type: 'Reject' },
        'spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited',
      ],
      [
        'spec.limited.limitResponse',
        queuing(64, 8, 1),
        queuing(64, 8, -1),
        'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
      ],
      [
        'spec.limited.limitResponse',
        queuing(1, 1),
        queuing(-1, 1),
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 1: should not be greater than queues (-1)',
        'spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive',
      ],
      [
        'spec.limited.limitResponse',
        queuing(10_000_000, 2),
        queuing(10_000_001, 2),
        'spec.limited.limitResponse.queuing.queues: Invalid value: 10000001: must not be greater than 10000000',
      ],
      [
        'spec.limited.limitResponse',
        queuing(4, 4),
        queuing(4, 5),
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 5: should not be greater than queues (4)',
      ],
      [
        'spec.limited.limitResponse',
        queuing(4, 1),
        queuing(4, -1),
        'spec.limited.limitResponse.queuing.handSize: Invalid value: -1: must be positive',
      ],
      [
        'spec.limited.limitResponse',
        queuing(64, 10),
        queuing(64, 11),
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and handSize 11 should not be greater than 60',
      ],
    ],
    generations: [
      ['spec.limited.lendablePercent', 1, 2],
      ['spec.limited.lendablePercent', 0, 1],
    ],
  },
];
