import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { UserInfo } from '#shared/request/user.ts';
import { appliesTo, BindingsOfSubjects, type BindingSubject } from './bindings-of-subjects.ts';
import { ruleAllows, type PolicyRule } from './policy-rule.ts';
import type { Grant } from './rbac-policy.ts';
import { RuleIndex } from './rule-index.ts';
import { ask } from './testing/rbac-of-objects.ts';

const few = (...texts: readonly string[]): fc.Arbitrary<string[]> =>
  fc.array(fc.constantFrom(...texts), { maxLength: 2 });
const rule: fc.Arbitrary<PolicyRule> = fc.record({
  verbs: few('get', 'list', '*'),
  apiGroups: few('', 'apps', '*'),
  resources: few('pods', 'pods/log', '*'),
  resourceNames: few('a', 'b', ''),
  nonResourceURLs: few('/healthz', '/api/*', '*'),
});
const subject: fc.Arbitrary<BindingSubject> = fc.record({
  kind: fc.constantFrom('User', 'Group', 'ServiceAccount', 'Other'),
  name: fc.constantFrom('a', 'b', 'system:serviceaccount:n:a'),
  namespace: fc.constantFrom('', 'n', 'm'),
});

describe('RuleIndex', () => {
  test('finds the same grant as a search through all rules', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(rule, { maxLength: 3 }), { maxLength: 6 }),
        fc.constantFrom('get', 'list'),
        fc.constantFrom('pods', 'secrets'),
        fc.constantFrom('a', 'b', 'c', ''),
        fc.constantFrom('', '/healthz', '/api/v1'),
        (grantedRules, verb, resource, name, path) => {
          const grants = grantedRules.map((rules) => ({ rules, error: '' }) as unknown as Grant);
          const index = new RuleIndex(grants);
          const attributes = ask({ verb, resource, name, path, resourceRequest: path === '' });
          const wanted = grants.find(({ rules }) => rules.some((each) => ruleAllows(each, attributes)));
          assert.equal(index.firstThatAllows(attributes), wanted);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('BindingsOfSubjects', () => {
  test('returns the bindings whose subjects apply to the user, whatever changes came before', () => {
    const names = ['x', 'y', 'z'];
    const namespaces = ['', 'n'];
    const user: fc.Arbitrary<UserInfo> = fc.record({
      name: fc.constantFrom('a', 'b', 'system:serviceaccount:n:a', 'system:serviceaccount:m:b'),
      uid: fc.constant(''),
      groups: few('a', 'b'),
      extra: fc.constant({}),
    });
    const change = fc.record({
      name: fc.constantFrom(...names),
      namespace: fc.constantFrom(...namespaces),
      subjects: fc.option(fc.array(subject, { maxLength: 3 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), user, (changes, asking) => {
        const index = new BindingsOfSubjects<{
          name: string;
          namespace: string;
          subjects: readonly BindingSubject[];
        }>();
        const present = new Map<string, { name: string; namespace: string; subjects: readonly BindingSubject[] }>();
        for (const { name, namespace, subjects } of changes) {
          const key = `${namespace}/${name}`;
          const after = subjects === undefined ? undefined : { name, namespace, subjects };
          index.change(present.get(key), after);
          if (after === undefined) present.delete(key);
          else present.set(key, after);
        }
        for (const namespace of namespaces) {
          const wanted = names
            .flatMap((name) => present.get(`${namespace}/${name}`) ?? [])
            .filter(({ subjects }) =>
              subjects.some((each) =>
                appliesTo(each, { name: asking.name, groups: new Set(asking.groups) }, namespace),
              ),
            );
          assert.deepEqual(index.of(namespace, asking), wanted);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
