import type { FieldEntry } from '#shared/api/gen-format.ts';
import type { ConfigurationKind, ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';

const group = 'audit.k8s.io';
/** The version of the reference's own form: that of a file which names none. */
export const internalVersion = `${group}/__internal`;
export const auditV1 = `${group}/v1`;

const metaKinds = ['Create', 'Delete', 'Get', 'List', 'Patch', 'Update'].map((verb) => `${verb}Options`);
const others: Readonly<Record<string, readonly string[]>> = {
  [auditV1]: ['Event', 'EventList', 'PolicyList', 'WatchEvent', ...metaKinds],
  v1: ['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList', 'WatchEvent', ...metaKinds],
  [internalVersion]: ['Event', 'EventList', 'PolicyList', 'WatchEvent'],
};

const strings = (names: readonly string[]): FieldEntry[] => names.map((name) => [name, 0, '[]string', 'e']);
const stages: FieldEntry = ['omitStages', 0, '[]string', 'e', { t: '[]v1.Stage' }];

/** Policies, and the kinds that the reference knows beside them (apiserver/pkg/audit/scheme.go). */
export const policyScheme: ConfigurationScheme = {
  isStrict: true,
  kinds: [
    { apiVersion: auditV1, kind: 'Policy', struct: 'Policy' },
    { apiVersion: internalVersion, kind: 'Policy', struct: 'InternalPolicy' },
    ...Object.entries(others).flatMap(([apiVersion, kinds]) =>
      kinds.map((kind): ConfigurationKind => ({ apiVersion, kind })),
    ),
  ],
  refusal: ({ version, kind }) => `converting (${version}.${kind}) to (audit.Policy): unknown conversion`,
  types: {
    Policy: [
      ['metadata', 0, '#ObjectMeta', 'e'],
      ['rules', 0, '[]#PolicyRule', ''],
      stages,
      ['omitManagedFields', 0, 'bool', 'e'],
    ],
    // Files have no fields in this form; it is refused.
    InternalPolicy: [],
    PolicyRule: [
      ['level', 0, 'string', '', { t: 'v1.Level' }],
      ...strings(['users', 'userGroups', 'verbs']),
      ['resources', 0, '[]#GroupResources', 'e'],
      ...strings(['namespaces', 'nonResourceURLs']),
      stages,
      ['omitManagedFields', 0, 'bool', 'pe'],
    ],
    GroupResources: [['group', 0, 'string', 'e'], ...strings(['resources', 'resourceNames'])],
    ObjectMeta: [
      ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion'].map((name): FieldEntry => [
        name,
        0,
        'string',
        'e',
      ]),
      ['generation', 0, 'int64', 'e'],
      ['creationTimestamp', 0, 'time', 'z'],
      ['deletionTimestamp', 0, 'time', 'pe'],
      ['deletionGracePeriodSeconds', 0, 'int64', 'pe'],
      ['labels', 0, '{}string', 'e'],
      ['annotations', 0, '{}string', 'e'],
      ['ownerReferences', 0, '[]json', 'e'],
      ['finalizers', 0, '[]string', 'e'],
      ['managedFields', 0, '[]json', 'e'],
    ],
  },
};
