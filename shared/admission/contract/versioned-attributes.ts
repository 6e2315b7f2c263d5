import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { AdmissionAttributes } from './admission.ts';

/** A request with its objects in the version that a hook has asked for. */
export interface VersionedAttributes {
  readonly attributes: AdmissionAttributes;
  /** The kind of both objects. */
  readonly kind: GroupVersionKind;
  /** The type of both objects. */
  readonly schema: StructSchema;
  /** Absent on DELETE. */
  readonly object?: KubeObject | undefined;
  /** Absent on CREATE and CONNECT. */
  readonly oldObject?: KubeObject | undefined;
}
