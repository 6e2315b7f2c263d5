import type { LimitTable } from '#servers/core/testdata/limit-table.ts';
import { container, recordedRequest } from '#servers/core/testdata/recorded-request.ts';

const toleration = { key: 'a', operator: 'Exists' };
/** A container with its defaults, which an update repeats. */
const stored = {
  ...container,
  imagePullPolicy: 'Always',
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

export const limits: readonly LimitTable[] = [
  {
    valid: recordedRequest('', 'v1', 'pods', 'Pod', {
      spec: {
        containers: [stored],
        terminationGracePeriodSeconds: 30,
        activeDeadlineSeconds: 10,
        automountServiceAccountToken: false,
        tolerations: [toleration],
        schedulingGates: [{ name: 'a.b/c' }, { name: 'a.b/d' }],
      },
    }),
    limits: [],
    updates: [
      [
        'spec.activeDeadlineSeconds',
        9,
        11,
        'spec.activeDeadlineSeconds: Invalid value: 11: must be less than or equal to previous value',
      ],
      [
        'spec.activeDeadlineSeconds',
        1,
        -1,
        'spec.activeDeadlineSeconds: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'spec.activeDeadlineSeconds: Invalid value: -1: must be between 1 and 2147483647, inclusive',
      ],
      [
        'spec.activeDeadlineSeconds',
        10,
        null,
        'spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value',
      ],
      [
        'spec.activeDeadlineSeconds',
        10,
        2_147_483_648,
        'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive',
        'spec.activeDeadlineSeconds: Invalid value: 2147483648: must be between 1 and 2147483647, inclusive',
      ],
      ['spec.containers[0].image', 'b', '', 'spec.containers[0].image: Required value'],
      [
        'spec.containers',
        [stored],
        [stored, { ...stored, name: 'd' }],
        'spec.containers: Forbidden: pod updates may not add or remove containers',
      ],
      [
        'spec.tolerations',
        [toleration, { key: 'b', operator: 'Exists' }],
        [],
        'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
      ],
      [
        'spec.schedulingGates',
        [{ name: 'a.b/d' }],
        [{ name: 'a.b/d' }, { name: 'a.b/e' }],
        "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'a.b/e'",
      ],
      [
        'spec.nodeSelector',
        { a: 'b' },
        { 'a b': 'c' },
        `spec.nodeSelector: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      ],
    ],
  },
];
