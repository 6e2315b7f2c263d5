import type { MetaObject } from './meta-object.ts';

export interface NamespaceCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

/** A Namespace of v1. */
export interface NamespaceObject extends MetaObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly NamespaceCondition[] };
}
