import { isDNS1123Label, nameIsDNSSubdomain } from '../../../apimachinery/names.ts';
import { addBounds, exactly, scaleBounds, type Bounds } from '../../contract/estimate.ts';
import type { FunctionDeclaration, Library } from '../../contract/library.ts';
import { CelObject } from '../../types/cel-object.ts';
import { boolType, objectType, stringType, type CelType } from '../../types/cel-type.ts';
import { CelError, type Value } from '../../values/value.ts';
import { costOfCharacter, costOfList, costOfStruct, costsOne, estimatesOne } from '../sizes.ts';
import { costSize } from '../../values/sizes.ts';

export const authorizerType = objectType('kubernetes.authorization.Authorizer');
const pathCheckType = objectType('kubernetes.authorization.PathCheck');
const groupCheckType = objectType('kubernetes.authorization.GroupCheck');
export const resourceCheckType = objectType('kubernetes.authorization.ResourceCheck');
const decisionType = objectType('kubernetes.authorization.Decision');

/** What an expression asks: a path, or a resource. Selectors are texts that nobody has read yet. */
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
  /** What went wrong while it was decided. */
  readonly error?: string;
}

/** Decides for one user, at once; `forServiceAccount` gives the one that decides for another. */
export interface AccessAuthorizer {
  decide(access: CheckedAccess): AccessDecision;
  forServiceAccount(namespace: string, name: string): AccessAuthorizer;
}

/** Objects without fields, which only have functions; nothing equals them. */
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

class PathCheck extends Opaque {
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

class GroupCheck extends Opaque {
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

/** `authorizer.group(g).resource(r)`, and what was said of it since. */
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

class Decision extends Opaque {
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }

  get type(): CelType {
    return decisionType;
  }
}

/** Two checks are all that an expression may cost. */
const costOfCheck = 350_000;
const accessor = { cost: costsOne, estimate: estimatesOne };

function setter(field: keyof ResourceAccess): (check: ResourceCheck, value: string) => Value {
  return (check, value) => new ResourceCheck(check.authorizer, { ...check.access, [field]: value });
}

function ofResource(name: 'subresource' | 'namespace' | 'name'): FunctionDeclaration {
  return {
    name,
    ...accessor,
    overloads: [
      {
        id: `resourcecheck_${name}`,
        member: true,
        parameters: [resourceCheckType, stringType],
        result: resourceCheckType,
        implementation: setter(name),
      },
    ],
  };
}

function ofDecision(name: string, result: CelType, read: (decision: AccessDecision) => Value): FunctionDeclaration {
  return {
    name,
    ...accessor,
    overloads: [
      {
        id: `decision_${name}`,
        member: true,
        parameters: [decisionType],
        result,
        implementation: ({ decision }: Decision) => read(decision),
      },
    ],
  };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'path',
    ...accessor,
    overloads: [
      {
        id: 'authorizer_path',
        member: true,
        parameters: [authorizerType, stringType],
        result: pathCheckType,
        implementation: ({ authorizer }: CelAuthorizer, path: string) =>
          isBlank(path) ? new CelError('path must not be empty') : new PathCheck(authorizer, path),
      },
    ],
  },
  {
    name: 'group',
    ...accessor,
    overloads: [
      {
        id: 'authorizer_group',
        member: true,
        parameters: [authorizerType, stringType],
        result: groupCheckType,
        implementation: ({ authorizer }: CelAuthorizer, group: string) => new GroupCheck(authorizer, group),
      },
    ],
  },
  {
    name: 'serviceAccount',
    ...accessor,
    overloads: [
      {
        id: 'authorizer_serviceaccount',
        member: true,
        parameters: [authorizerType, stringType, stringType],
        result: authorizerType,
        implementation: serviceAccount,
      },
    ],
  },
  {
    name: 'resource',
    ...accessor,
    overloads: [
      {
        id: 'groupcheck_resource',
        member: true,
        parameters: [groupCheckType, stringType],
        result: resourceCheckType,
        implementation: ({ authorizer, group }: GroupCheck, resource: string) =>
          isBlank(resource)
            ? new CelError('resource must not be empty')
            : new ResourceCheck(authorizer, { group, resource }),
      },
    ],
  },
  ofResource('subresource'),
  ofResource('namespace'),
  ofResource('name'),
  {
    name: 'check',
    cost: () => costOfCheck,
    estimate: () => ({ cost: exactly(costOfCheck) }),
    overloads: [
      {
        id: 'pathcheck_check',
        member: true,
        parameters: [pathCheckType, stringType],
        result: decisionType,
        implementation: ({ authorizer, path }: PathCheck, verb: string) =>
          new Decision(authorizer.decide({ verb, path })),
      },
      {
        id: 'resourcecheck_check',
        member: true,
        parameters: [resourceCheckType, stringType],
        result: decisionType,
        implementation: ({ authorizer, access }: ResourceCheck, verb: string) =>
          new Decision(authorizer.decide({ verb, ...access })),
      },
    ],
  },
  ofDecision('errored', boolType, ({ error }) => error !== undefined),
  ofDecision('error', stringType, ({ error }) => error ?? ''),
  ofDecision('allowed', boolType, ({ allowed }) => allowed),
  ofDecision('reason', stringType, ({ reason }) => reason),
];

function serviceAccount({ authorizer }: CelAuthorizer, namespace: string, name: string): Value {
  if (nameIsDNSSubdomain(name, false).length > 0) return new CelError('Invalid service account name');
  if (isDNS1123Label(namespace).length > 0) return new CelError('Invalid service account namespace');
  return new CelAuthorizer(authorizer.forServiceAccount(namespace, name));
}

export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  types: [authorizerType, pathCheckType, groupCheckType, resourceCheckType, decisionType],
  functions,
};

/** The shortest requirement of a selector has two characters; each makes a struct and a list. */
function costOfSelector(length: Bounds): Bounds {
  const read = scaleBounds(length, costOfCharacter);
  const made = scaleBounds(scaleBounds(length, 0.5), costOfList + costOfStruct);
  return addBounds(exactly(costOfList), addBounds(read, made));
}

function selector(name: 'fieldSelector' | 'labelSelector'): FunctionDeclaration {
  return {
    name,
    cost: ([, text]) => costOfSelector(exactly(costSize(text ?? null))).max,
    estimate: (context, _, [text]) => (text === undefined ? undefined : { cost: costOfSelector(context.sizeOf(text)) }),
    overloads: [
      {
        id: `authorizer_${name.toLowerCase()}`,
        member: true,
        parameters: [resourceCheckType, stringType],
        result: resourceCheckType,
        implementation: setter(name),
      },
    ],
  };
}

/** Selectors of checked resources; behind a feature gate for new expressions. */
export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  types: [resourceCheckType],
  functions: [selector('fieldSelector'), selector('labelSelector')],
};
