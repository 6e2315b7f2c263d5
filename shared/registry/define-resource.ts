import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import type { Conversion, Creator, ParentView, ResourceReader, RestSubresource } from './rest.ts';
import type { StoredShape } from './stored-form.ts';
import type { Strategy } from './strategy.ts';

/** What the code of a server adds to the facts of one resource; every member is optional. */
export interface ResourceDefinition {
  readonly group: string;
  readonly resource: string;
  readonly strategy?: Strategy;
  /** How its objects are shown as rows of a Table. */
  readonly rows?: KindRows;
  /** By name. `status` needs no entry; any other subresource of the facts without an entry answers 501. */
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>;
  /** By served version, if its shape differs from that of the storage version. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** The stored form, if no served version has that shape. */
  readonly storedShape?: StoredShape;
  /** Implementations of resources that are not stored. */
  readonly creator?: Creator;
  readonly reader?: ResourceReader;
}

export interface SubresourceDefinition {
  readonly view?: ParentView;
  readonly prepare?: NonNullable<RestSubresource['prepare']>;
  readonly create?: NonNullable<RestSubresource['create']>;
  readonly applyDefaults?: NonNullable<RestSubresource['applyDefaults']>;
  readonly connect?: NonNullable<RestSubresource['connect']>;
  readonly connectOptions?: NonNullable<RestSubresource['connectOptions']>;
  readonly isTable?: boolean;
  readonly isNegotiated?: boolean;
}

/** Returns the definition itself, with its members checked by the compiler. */
export function defineResource(definition: ResourceDefinition): ResourceDefinition {
  return definition;
}
