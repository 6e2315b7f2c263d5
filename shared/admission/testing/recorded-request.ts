import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { Status } from '#shared/apimachinery/errors/status.ts';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { doneWith } from '#shared/apimachinery/slices/slices.ts';
import { podAttributes } from './attributes.ts';

/** A request of upstream's tests, as `test/recorders/admission` writes it down. */
export interface RecordedRequest extends ResourceMatch {
  readonly operation: AdmissionAttributes['operation'];
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly object?: KubeObject | null;
  readonly oldObject?: KubeObject | null;
  readonly options?: JsonObject;
  readonly user?: AdmissionAttributes['user'] & { readonly extra: Record<string, string[]> | null };
  /** The versions of the resource; absent where a test does not ask for another version. */
  readonly equivalents?: readonly ResourceMatch[];
}

/** Null where a request is not refused. */
export type RecordedError = Status | null;

const facts = loadFacts();

/** The type of objects of a kind without a schema. */
const unknownType: Pick<StructSchema, 'kind' | 'name' | 'goName' | 'fields' | 'byName' | 'flat' | 'custom'> = {
  kind: 'struct',
  name: '',
  goName: '',
  fields: [],
  byName: new Map(),
  flat: [],
  custom: {
    conform: () => doneWith([]),
    conformStored: () => doneWith(undefined),
    conformMetadata: () => doneWith([]),
    applyDefaults: () => doneWith(false),
    view: { name: '', scalar: undefined, list: undefined, map: undefined },
  },
};

function schemaOf({ group, version, kind }: GroupVersionKind): StructSchema {
  return facts.schema(group, version, kind) ?? unknownType;
}

/** The attributes of a recorded request; the objects are copies. */
export function attributesOf(request: RecordedRequest, change: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  const { object: _, versions, ...plain } = podAttributes();
  const { operation, kind, resource, subresource, namespace, name, dryRun, options = {}, user, equivalents } = request;
  return {
    ...plain,
    operation,
    kind,
    resource,
    subresource,
    namespace,
    name,
    dryRun,
    options,
    ...(user === undefined ? {} : { user: { ...user, groups: user.groups ?? [], extra: user.extra ?? {} } }),
    versions: { ...versions, equivalents: equivalents ?? [], schema: schemaOf },
    ...(request.object ? { object: structuredClone(request.object) } : {}),
    ...(request.oldObject ? { oldObject: structuredClone(request.oldObject) } : {}),
    ...change,
  };
}
