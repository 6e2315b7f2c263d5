import type { Conversion, Creator, ParentView, ResourceReader, RestSubresource } from './rest.ts';
import type { StoredShape } from './stored-form.ts';
import type { Strategy } from './strategy.ts';

/** What a server knows of one of its resources beyond the facts; all of it is optional. */
export interface ResourceDefinition {
  readonly group: string;
  readonly resource: string;
  readonly strategy?: Strategy;
  /** By name. `status` needs no entry; a subresource of the facts without one answers 501. */
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>;
  /** By served version, where its shape differs from that of the storage version. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** How it lies in etcd, where no served version has that shape. */
  readonly storedShape?: StoredShape;
  /** Resources that are not stored. */
  readonly creator?: Creator;
  readonly reader?: ResourceReader;
}

export interface SubresourceDefinition {
  readonly view?: ParentView;
  readonly create?: NonNullable<RestSubresource['create']>;
  readonly applyDefaults?: NonNullable<RestSubresource['applyDefaults']>;
  readonly connect?: NonNullable<RestSubresource['connect']>;
  readonly connectOptions?: NonNullable<RestSubresource['connectOptions']>;
  readonly isTable?: boolean;
  readonly isNegotiated?: boolean;
}

/** Types a definition where it is written. */
export function defineResource(definition: ResourceDefinition): ResourceDefinition {
  return definition;
}
