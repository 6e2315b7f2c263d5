import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';

/** One line of a policy file. Empty fields match nothing but emptiness; `*` matches everything. */
export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const allAuthenticated = 'system:authenticated';

/** The policy that a line of version v1beta1 states. */
export function policyOfV1beta1(line: JsonObject): AbacPolicy {
  const spec = objectAt(line, 'spec');
  const text = (name: string): string => stringAt(spec, name);
  return {
    ...subjectOf(text('user'), text('group')),
    readonly: booleanAt(spec, 'readonly') ?? false,
    apiGroup: text('apiGroup'),
    resource: text('resource'),
    namespace: text('namespace'),
    nonResourcePath: text('nonResourcePath'),
  };
}

/** The policy that a line of version v0 states, where empty fields match everything. */
export function policyOfV0(line: JsonObject): AbacPolicy {
  const [user, group] = [stringAt(line, 'user'), stringAt(line, 'group')];
  const [resource, namespace] = [stringAt(line, 'resource'), stringAt(line, 'namespace')];
  return {
    ...(user === '' && group === '' ? { user, group: allAuthenticated } : subjectOf(user, group)),
    readonly: booleanAt(line, 'readonly') ?? false,
    apiGroup: '*',
    resource: resource === '' ? '*' : resource,
    namespace: namespace === '' ? '*' : namespace,
    nonResourcePath: resource === '' && namespace === '' ? '*' : '',
  };
}

/** `*` is any authenticated user. */
function subjectOf(user: string, group: string): Pick<AbacPolicy, 'user' | 'group'> {
  return user === '*' || group === '*' ? { user: '', group: allAuthenticated } : { user, group };
}
