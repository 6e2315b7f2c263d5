import { times, type LimitTable } from '#servers/core/testdata/limit-table.ts';
import { container, recordedRequest } from '#servers/core/testdata/recorded-request.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';

const spec = { template: { spec: { containers: [container], restartPolicy: 'Never' } } };
const exitCodes = (values: readonly number[], operator = 'In'): JsonObject => ({
  rules: [{ action: 'FailJob', onExitCodes: { operator, values: [...values] } }],
});
const conditions = (count: number): JsonObject => ({
  rules: [{ action: 'Ignore', onPodConditions: times(count, (i) => ({ type: `t${i}`, status: 'True' })) }],
});
const failureRules = (count: number): JsonObject => ({
  rules: times(count, () => ({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } })),
});
const successRules = (count: number): JsonObject => ({ rules: times(count, () => ({ succeededCount: 1 })) });

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('batch', 'v1', 'jobs', 'Job', { spec }),
    limits: [
      ['spec.parallelism', 0, -1, 'spec.parallelism: Invalid value: -1: must be greater than or equal to 0'],
      ['spec.completions', 0, -1, 'spec.completions: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.activeDeadlineSeconds',
        0,
        -1,
        'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      ],
      ['spec.backoffLimit', 0, -1, 'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.ttlSecondsAfterFinished',
        0,
        -1,
        'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.managedBy',
        `a.b/${'c'.repeat(59)}`,
        `a.b/${'c'.repeat(60)}`,
        'spec.managedBy: Too long: may not be more than 63 bytes',
      ],
      [
        'spec.podReplacementPolicy',
        'Failed',
        'Always',
        'spec.podReplacementPolicy: Unsupported value: "Always": supported values: "Failed", "TerminatingOrFailed"',
      ],
      [
        'spec.completionMode',
        'NonIndexed',
        'Other',
        'spec.completionMode: Unsupported value: "Other": supported values: "NonIndexed", "Indexed"',
      ],
      [
        'spec.template.spec.restartPolicy',
        'OnFailure',
        'Always',
        'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
      [
        'spec.podFailurePolicy',
        failureRules(20),
        failureRules(21),
        'spec.podFailurePolicy.rules: Too many: 21: must have at most 20 items',
      ],
      [
        'spec.podFailurePolicy',
        exitCodes(times(255, (i) => i + 1)),
        exitCodes(times(256, (i) => i + 1)),
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Too many: 256: must have at most 255 items',
      ],
      [
        'spec.podFailurePolicy',
        exitCodes([1]),
        exitCodes([0]),
        'spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
      ],
      [
        'spec.podFailurePolicy',
        exitCodes([0], 'NotIn'),
        exitCodes([], 'NotIn'),
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []: at least one value is required',
      ],
      [
        'spec.podFailurePolicy',
        exitCodes([1, 2]),
        exitCodes([2, 1]),
        'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered',
      ],
      [
        'spec.podFailurePolicy',
        exitCodes([1, 2]),
        exitCodes([1, 1]),
        'spec.podFailurePolicy.rules[0].onExitCodes.values[1]: Duplicate value: 1',
      ],
      [
        'spec.podFailurePolicy',
        conditions(20),
        conditions(21),
        'spec.podFailurePolicy.rules[0].onPodConditions: Too many: 21: must have at most 20 items',
      ],
    ],
    updates: [
      ['spec.completions', 1, 2, 'spec.completions: Invalid value: 2: field is immutable'],
      [
        'spec.completionMode',
        'NonIndexed',
        'Indexed',
        'spec.completionMode: Invalid value: "Indexed": field is immutable',
      ],
      ['spec.backoffLimit', 0, -1, 'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0'],
      ['spec.managedBy', null, 'a.b/c', 'spec.managedBy: Invalid value: "a.b/c": field is immutable'],
    ],
    generations: [
      ['metadata.annotations', { a: 'b' }, 1],
      ['spec.parallelism', 2, 2],
      ['spec.suspend', true, 2],
    ],
  },
  {
    valid: recordedRequest('batch', 'v1', 'jobs', 'Job', {
      spec: { ...spec, completionMode: 'Indexed', completions: 100_000, parallelism: 1 },
    }),
    limits: [
      [
        'spec.parallelism',
        100_000,
        100_001,
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
      [
        'spec.backoffLimitPerIndex',
        0,
        -1,
        'spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.successPolicy',
        successRules(20),
        successRules(21),
        'spec.successPolicy.rules: Too many: 21: must have at most 20 items',
      ],
      [
        'spec.successPolicy',
        { rules: [{ succeededCount: 100_000 }] },
        { rules: [{ succeededCount: 100_001 }] },
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 100001: must be less than or equal to 100000 (the number of specified completions)',
      ],
      [
        'spec.successPolicy',
        { rules: [{ succeededIndexes: '0-99999' }] },
        { rules: [{ succeededIndexes: '0-100000' }] },
        'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-100000": error parsing succeededIndexes: too large index: "100000"',
      ],
      [
        'spec.successPolicy',
        { rules: [{ succeededIndexes: '1,2', succeededCount: 2 }] },
        { rules: [{ succeededIndexes: '1,2', succeededCount: 3 }] },
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
      ],
    ],
  },
  {
    valid: recordedRequest('batch', 'v1', 'jobs', 'Job', {
      spec: { ...spec, completionMode: 'Indexed', completions: 100_000, parallelism: 1, backoffLimitPerIndex: 1 },
    }),
    limits: [
      ['spec.maxFailedIndexes', 0, -1, 'spec.maxFailedIndexes: Invalid value: -1: must be greater than or equal to 0'],
      [
        'spec.maxFailedIndexes',
        100_000,
        100_001,
        'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to 100000',
        'spec.maxFailedIndexes: Invalid value: 100001: must be less than or equal to completions',
      ],
      [
        'spec.completions',
        100_000,
        100_001,
        'spec.maxFailedIndexes: Required value: must be specified when completions is above 100000',
      ],
    ],
  },
  {
    valid: recordedRequest('batch', 'v1', 'jobs', 'Job', {
      spec: {
        ...spec,
        completionMode: 'Indexed',
        completions: 100_001,
        parallelism: 1,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 1,
      },
    }),
    limits: [
      [
        'spec.maxFailedIndexes',
        10_000,
        10_001,
        'spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
      [
        'spec.parallelism',
        10_000,
        10_001,
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
    ],
  },
  {
    valid: recordedRequest('batch', 'v1', 'cronjobs', 'CronJob', {
      spec: { schedule: '* * * * *', jobTemplate: { spec } },
    }),
    limits: [
      [
        'metadata.name',
        'a'.repeat(52),
        'a'.repeat(53),
        'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters',
      ],
      [
        'spec.schedule',
        '59 23 31 12 6',
        '60 23 31 12 6',
        'spec.schedule: Invalid value: "60 23 31 12 6": end of range (60) above maximum (59): 60',
      ],
      ['spec.schedule', '0 0 1 1 0', '', 'spec.schedule: Required value'],
      [
        'spec.schedule',
        '* * * * *',
        'TZ=UTC * * * * *',
        'spec.schedule: Invalid value: "TZ=UTC * * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      ],
      [
        'spec.timeZone',
        'Etc/UTC',
        'Etc/Nowhere',
        'spec.timeZone: Invalid value: "Etc/Nowhere": unknown time zone Etc/Nowhere',
      ],
      ['spec.timeZone', 'UTC', 'utc', 'spec.timeZone: Invalid value: "utc": unknown time zone utc'],
      [
        'spec.timeZone',
        'Europe/Berlin',
        'europe/berlin',
        'spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin',
      ],
      ['spec.timeZone', 'PST8PDT', 'PST', 'spec.timeZone: Invalid value: "PST": unknown time zone PST'],
      ['spec.timeZone', 'Etc/GMT-5', '+05:00', 'spec.timeZone: Invalid value: "+05:00": unknown time zone +05:00'],
      [
        'spec.timeZone',
        'Etc/GMT+12',
        'Etc/GMT+13',
        'spec.timeZone: Invalid value: "Etc/GMT+13": unknown time zone Etc/GMT+13',
      ],
      ['spec.timeZone', 'EST5EDT', 'est5edt', 'spec.timeZone: Invalid value: "est5edt": unknown time zone est5edt'],
      ['spec.timeZone', 'US/Pacific', '../UTC', 'spec.timeZone: Invalid value: "../UTC": unknown time zone ../UTC'],
      [
        'spec.timeZone',
        'America/Argentina/ComodRivadavia',
        '\\UTC',
        'spec.timeZone: Invalid value: "\\\\UTC": unknown time zone \\UTC',
      ],
      [
        'spec.timeZone',
        'Etc/UCT',
        'UTC\u0000',
        'spec.timeZone: Invalid value: "UTC\\u0000": unknown time zone UTC\u0000',
      ],
      [
        'spec.timeZone',
        'GB-Eire',
        'ABCDEFGHIJKLMNO',
        'spec.timeZone: Invalid value: "ABCDEFGHIJKLMNO": unknown time zone ABCDEFGHIJKLMNO',
      ],
      ['spec.timeZone', 'W-SU', 'a..b', 'spec.timeZone: Invalid value: "a..b": time: invalid location name'],
      [
        'spec.startingDeadlineSeconds',
        0,
        -1,
        'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.concurrencyPolicy',
        'Replace',
        'Queue',
        'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
      ],
      [
        'spec.successfulJobsHistoryLimit',
        0,
        -1,
        'spec.successfulJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.failedJobsHistoryLimit',
        0,
        -1,
        'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0',
      ],
      [
        'spec.jobTemplate.spec.parallelism',
        0,
        -1,
        'spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
      ],
    ],
    updates: [
      [
        'spec.schedule',
        '0 0 1 1 0',
        '* *',
        'spec.schedule: Invalid value: "* *": expected exactly 5 fields, found 2: [* *]',
      ],
    ],
    generations: [
      ['metadata.annotations', { a: 'b' }, 1],
      ['spec.suspend', true, 2],
    ],
  },
];
