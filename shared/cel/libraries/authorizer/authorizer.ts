import { isDNS1123Label, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { addBounds, exactly, scaleBounds, type Bounds } from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import { costOfCharacter, costOfList, costOfStruct, costsOne, estimatesOne } from '#shared/cel/libraries/sizes.ts';
import { boolType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { costSize } from '#shared/cel/values/sizes.ts';
import { CelError, type Value } from '#shared/cel/values/value.ts';
import {
  type AccessDecision,
  CelAuthorizer,
  Decision,
  GroupCheck,
  PathCheck,
  type ResourceAccess,
  ResourceCheck,
  authorizerType,
  decisionType,
  groupCheckType,
  pathCheckType,
  resourceCheckType,
} from './access-checks.ts';

/** The cost of one check, so high that the cost limit of an expression (1,000,000) allows only two. */
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

/** The cost of parsing a selector: the shortest requirement has two characters, and each makes a struct and a list. */
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

/** Functions that add selectors to a resource check. A feature gate enables them for new expressions. */
export const authorizerSelectorsLibrary: Library = {
  name: 'kubernetes.authzSelectors',
  types: [resourceCheckType],
  functions: [selector('fieldSelector'), selector('labelSelector')],
};
