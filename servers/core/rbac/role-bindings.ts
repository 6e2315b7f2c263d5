import { objectsAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

const group = 'rbac.authorization.k8s.io';

/** Defaults of RoleBindings and ClusterRoleBindings (pkg/apis/rbac/v1/defaults.go). */
export const applyBindingDefaults: NonNullable<Strategy['applyDefaults']> = (binding) => {
  setDefaultText(ensureObject(binding, 'roleRef'), 'apiGroup', group);
  for (const subject of objectsAt(binding, 'subjects')) {
    if (stringAt(subject, 'kind') === 'User' || stringAt(subject, 'kind') === 'Group') setDefaultText(subject, 'apiGroup', group);
  }
};
