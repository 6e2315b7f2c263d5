import {
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { selects, validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSSubdomain, nameIsPathSegment } from '#shared/apimachinery/validation/names.ts';

const group = 'rbac.authorization.k8s.io';

/** Roles and ClusterRoles (pkg/apis/rbac/validation). */
export function validateRole(role: KubeObject, namespaced: boolean): FieldError[] {
  const errors = objectsAt(role, 'rules').flatMap((rule, index) =>
    validateRule(rule, namespaced, path('rules').index(index)),
  );
  const aggregation = objectAt(role, 'aggregationRule');
  if (namespaced || !aggregation) return errors;
  const selectors = objectsAt(aggregation, 'clusterRoleSelectors');
  const field = path('aggregationRule', 'clusterRoleSelectors');
  if (selectors.length === 0)
    errors.push(required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  return [
    ...errors,
    ...selectors.flatMap((selector, index) => [
      ...validateLabelSelector(selector, field.index(index)),
      ...(selects(selector, {}) === undefined ? [invalid(field.index(index), null, 'invalid label selector.')] : []),
    ]),
  ];
}

function validateRule(rule: JsonObject, namespaced: boolean, field: Path): FieldError[] {
  const [verbs, urls, groups, resources, names] = [
    'verbs',
    'nonResourceURLs',
    'apiGroups',
    'resources',
    'resourceNames',
  ].map((key) => [...stringsAt(rule, key)]);
  const errors: FieldError[] =
    (verbs ?? []).length === 0 ? [required(field.child('verbs'), 'verbs must contain at least one value')] : [];
  const any = (list: readonly string[] | undefined) => (list ?? []).length > 0;
  if (urls && any(urls)) {
    if (namespaced)
      errors.push(invalid(field.child('nonResourceURLs'), urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (any(groups) || any(resources) || any(names))
      errors.push(
        invalid(
          field.child('nonResourceURLs'),
          urls,
          'rules cannot apply to both regular resources and non-resource URLs',
        ),
      );
    return errors;
  }
  if (!any(groups))
    errors.push(required(field.child('apiGroups'), 'resource rules must supply at least one api group'));
  return any(resources)
    ? errors
    : [...errors, required(field.child('resources'), 'resource rules must supply at least one resource')];
}

/** RoleBindings and ClusterRoleBindings. */
export function validateBinding(binding: KubeObject, namespaced: boolean): FieldError[] {
  const [apiGroup = '', kind = '', name = ''] = ['apiGroup', 'kind', 'name'].map((key) =>
    stringAt(binding, 'roleRef', key),
  );
  const field = path('roleRef');
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...(apiGroup === group ? [] : [notSupported(field.child('apiGroup'), apiGroup, [group])]),
    ...(kinds.includes(kind) ? [] : [notSupported(field.child('kind'), kind, kinds)]),
    ...(name === ''
      ? [required(field.child('name'), '')]
      : messages(nameIsPathSegment(name, false), field.child('name'), name)),
    ...objectsAt(binding, 'subjects').flatMap((subject, index) =>
      validateSubject(subject, namespaced, path('subjects').index(index)),
    ),
  ];
}

function validateSubject(subject: JsonObject, namespaced: boolean, field: Path): FieldError[] {
  const [kind = '', name = '', apiGroup = '', namespace = ''] = ['kind', 'name', 'apiGroup', 'namespace'].map((key) =>
    stringAt(subject, key),
  );
  const errors: FieldError[] = name === '' ? [required(field.child('name'), '')] : [];
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') errors.push(...messages(nameIsDNSSubdomain(name, false), field.child('name'), name));
      if (apiGroup !== '') errors.push(notSupported(field.child('apiGroup'), apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(field.child('namespace'), ''));
      return errors;
    case 'User':
    case 'Group':
      return apiGroup === group ? errors : [...errors, notSupported(field.child('apiGroup'), apiGroup, [group])];
    default:
      return [...errors, notSupported(field.child('kind'), kind, ['ServiceAccount', 'User', 'Group'])];
  }
}
