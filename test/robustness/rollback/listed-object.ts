export interface ListedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
    readonly managedFields?: readonly object[];
    readonly ownerReferences?: readonly { readonly uid: string; readonly blockOwnerDeletion?: boolean }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

/** All objects of all resources, by `resource.group/namespace/name`. */
export type ListedState = ReadonlyMap<string, ListedObject>;
