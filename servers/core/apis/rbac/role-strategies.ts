import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { RoleGuard } from '#servers/core/apis/contract/guards.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateBinding, validateRole } from './role-validation.ts';
import { clusterRoleBindingRows, roleBindingRows } from './rows.ts';

const group = 'rbac.authorization.k8s.io';

/** Roles and ClusterRoles. */
function roleStrategy(guard: RoleGuard, namespaced: boolean): Strategy {
  return {
    validate: (object) => validateRole(object, namespaced),
    validateUpdate: (object) => validateRole(object, namespaced),
    // A `generateName` prefix is validated like a name.
    validateName: (name) => nameIsPathSegment(name, false),
    beginCreate: (object, context) => allowed(guard.guardRole(object, undefined, context)),
    authorizeUpdate: (object, old, context) => guard.guardRole(object, old, context),
  };
}

/** RoleBindings and ClusterRoleBindings. */
function bindingStrategy(guard: RoleGuard, namespaced: boolean): Strategy {
  return {
    validate: (object) => validateBinding(object, namespaced),
    // A `generateName` prefix is validated like a name.
    validateName: (name) => nameIsPathSegment(name, false),
    applyDefaults: applyBindingDefaults,
    validateUpdate: (object, old) => [...validateBinding(object, namespaced), ...validateRoleRef(object, old)],
    beginCreate: (object, context) => allowed(guard.guardBinding(object, undefined, context)),
    authorizeUpdate: (object, old, context) => guard.guardBinding(object, old, context),
  };
}

/** Defaults of a binding (pkg/apis/rbac/v1/defaults.go). */
function applyBindingDefaults(binding: KubeObject): void {
  setDefaultText(ensureObject(binding, 'roleRef'), 'apiGroup', group);
  for (const subject of objectsAt(binding, 'subjects')) {
    if (stringAt(subject, 'kind') === 'User' || stringAt(subject, 'kind') === 'Group')
      setDefaultText(subject, 'apiGroup', group);
  }
}

function validateRoleRef(binding: KubeObject, old: KubeObject): FieldError[] {
  const same = ['apiGroup', 'kind', 'name'].every(
    (key) => stringAt(binding, 'roleRef', key) === stringAt(old, 'roleRef', key),
  );
  return same
    ? []
    : [
        invalid(
          path('roleRef'),
          goForm('io.k8s.api.rbac.v1.RoleRef', objectAt(binding, 'roleRef') ?? {}),
          'cannot change roleRef',
        ),
      ];
}

/** Waits for a guard. Returns undefined, since a failed write has nothing to undo. */
async function allowed(check: Promise<void>): Promise<undefined> {
  await check;
}

export const roleResource = defineBuiltIn({
  group: 'rbac.authorization.k8s.io',
  resource: 'roles',
  strategy: (guard) => roleStrategy(guard, true),
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'both',
  },
});

export const clusterRoleResource = defineBuiltIn({
  group: 'rbac.authorization.k8s.io',
  resource: 'clusterroles',
  strategy: (guard) => roleStrategy(guard, false),
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'both',
  },
});

export const roleBindingResource = defineBuiltIn({
  group: 'rbac.authorization.k8s.io',
  resource: 'rolebindings',
  rows: roleBindingRows,
  strategy: (guard) => bindingStrategy(guard, true),
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'both',
  },
});

export const clusterRoleBindingResource = defineBuiltIn({
  group: 'rbac.authorization.k8s.io',
  resource: 'clusterrolebindings',
  rows: clusterRoleBindingRows,
  strategy: (guard) => bindingStrategy(guard, false),
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'both',
  },
});
