import { CelObject } from '#shared/cel/values/cel-type.ts';
import { objectType, type CelType } from '#shared/cel/values/cel-type.ts';
import { CelError } from '#shared/cel/values/value.ts';

export const authorizerType = objectType('kubernetes.authorization.Authorizer');
export const pathCheckType = objectType('kubernetes.authorization.PathCheck');
export const groupCheckType = objectType('kubernetes.authorization.GroupCheck');
export const resourceCheckType = objectType('kubernetes.authorization.ResourceCheck');
export const decisionType = objectType('kubernetes.authorization.Decision');

/** An access check of an expression: for a path, or for a resource. Selectors are texts that are not parsed yet. */
export type CheckedAccess = { readonly verb: string } & ({ readonly path: string } | ResourceAccess);

export interface ResourceAccess {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** The error that occurred during the decision. */
  readonly error?: string;
}

/** Authorizes requests of one user, synchronously; `forServiceAccount` returns an authorizer for a service account. */
export interface AccessAuthorizer {
  decide(access: CheckedAccess): AccessDecision;
  forServiceAccount(namespace: string, name: string): AccessAuthorizer;
}

/** Opaque objects, which have functions but no fields; comparing them is an error. */
abstract class Opaque extends CelObject {
  override equals(): CelError {
    return new CelError('no such overload');
  }
}

export class CelAuthorizer extends Opaque {
  readonly authorizer: AccessAuthorizer;

  constructor(authorizer: AccessAuthorizer) {
    super();
    this.authorizer = authorizer;
  }

  get type(): CelType {
    return authorizerType;
  }
}

export class PathCheck extends Opaque {
  readonly authorizer: AccessAuthorizer;
  readonly path: string;

  constructor(authorizer: AccessAuthorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }

  get type(): CelType {
    return pathCheckType;
  }
}

export class GroupCheck extends Opaque {
  readonly authorizer: AccessAuthorizer;
  readonly group: string;

  constructor(authorizer: AccessAuthorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }

  get type(): CelType {
    return groupCheckType;
  }
}

/** `authorizer.group(g).resource(r)`, with the attributes that later calls added. */
export class ResourceCheck extends Opaque {
  readonly authorizer: AccessAuthorizer;
  readonly access: ResourceAccess;

  constructor(authorizer: AccessAuthorizer, access: Partial<ResourceAccess>) {
    super();
    this.authorizer = authorizer;
    this.access = {
      group: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
      fieldSelector: '',
      labelSelector: '',
      ...access,
    };
  }

  get type(): CelType {
    return resourceCheckType;
  }
}

export class Decision extends Opaque {
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }

  get type(): CelType {
    return decisionType;
  }
}
