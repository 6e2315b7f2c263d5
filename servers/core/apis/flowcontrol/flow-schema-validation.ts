import { goForm } from '#servers/core/validation/go-form.ts';
import { bootstrapFlowControl } from '#shared/api/bootstrap-objects.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import {
  booleanAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  type KubeObject,
} from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSLabel, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';

const maxPrecedence = 10_000;
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** FlowSchemas (pkg/apis/flowcontrol/validation). */
export function validateFlowSchema(schema: KubeObject): FieldError[] {
  const spec = objectAt(schema, 'spec') ?? {};
  const field = path('spec');
  const name = schema.metadata.name ?? '';
  const level = stringAt(spec, 'priorityLevelConfiguration', 'name');
  const levelField = field.child('priorityLevelConfiguration', 'name');
  return [
    ...validatePrecedence(numberAt(spec, 'matchingPrecedence') ?? 0, name, field.child('matchingPrecedence')),
    ...validateDistinguisher(objectAt(spec, 'distinguisherMethod'), field.child('distinguisherMethod', 'type')),
    ...(level === ''
      ? [required(levelField, 'must reference a priority level')]
      : messages(nameIsDNSSubdomain(level, false), levelField, level)),
    ...objectsAt(spec, 'rules').flatMap((rule, index) => validateRule(rule, field.child('rules').index(index))),
    ...validateMandatory(name, spec, field),
    ...validateConditionTypes(schema),
  ];
}

const specModel = 'io.k8s.api.flowcontrol.v1.FlowSchemaSpec';

/** Mandatory FlowSchemas must keep the spec with which the server creates them. */
function validateMandatory(name: string, spec: JsonObject, field: Path): FieldError[] {
  const mandatory = bootstrapFlowControl().mandatoryFlowSchemas.find(
    (item) => stringAt(item, 'metadata', 'name') === name,
  );
  if (!mandatory || sameAs(specModel, spec, objectAt(mandatory, 'spec'))) return [];
  return [invalid(field, goForm(specModel, spec), `spec of '${name}' must equal the fixed value`)];
}

/** Validates the conditions of FlowSchemas and PriorityLevelConfigurations. */
export function validateConditionTypes(object: KubeObject): FieldError[] {
  const types = objectsAt(object, 'status', 'conditions').map((condition) => stringAt(condition, 'type'));
  const repeated = repetitions(types);
  return types.flatMap((type, index) => {
    const field = path('status', 'conditions').index(index).child('type');
    return [
      ...(repeated[index] === true ? [duplicate(field, type)] : []),
      ...(type === '' ? [required(field, '')] : []),
    ];
  });
}

function validatePrecedence(value: number, name: string, field: Path): FieldError[] {
  return [
    ...(value <= 0 ? [invalid(field, value, 'must be a positive value')] : []),
    ...(value > maxPrecedence ? [invalid(field, value, `must not be greater than ${maxPrecedence}`)] : []),
    ...(value === 1 && name !== 'exempt'
      ? [invalid(field, value, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
  ];
}

function validateDistinguisher(method: JsonObject | undefined, field: Path): FieldError[] {
  const known = ['ByNamespace', 'ByUser'];
  if (!method || known.includes(stringAt(method, 'type'))) return [];
  return [notSupported(field, { Type: stringAt(method, 'type') }, known)];
}

function validateRule(rule: JsonObject, field: Path): FieldError[] {
  const [subjects, resources, others] = [
    objectsAt(rule, 'subjects'),
    objectsAt(rule, 'resourceRules'),
    objectsAt(rule, 'nonResourceRules'),
  ];
  return [
    ...(subjects.length === 0 ? [required(field.child('subjects'), 'subjects must contain at least one value')] : []),
    ...subjects.flatMap((subject, index) => validateSubject(subject, field.child('subjects').index(index))),
    ...(resources.length === 0 && others.length === 0
      ? [required(field, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...resources.flatMap((item, index) => validateResourceRule(item, field.child('resourceRules').index(index))),
    ...others.flatMap((item, index) => validateNonResourceRule(item, field.child('nonResourceRules').index(index))),
  ];
}

const subjectKinds: readonly (readonly [kind: string, key: string])[] = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
];

function validateSubject(subject: JsonObject, field: Path): FieldError[] {
  const kind = stringAt(subject, 'kind');
  const own = subjectKinds.find(([known]) => known === kind)?.[1];
  if (own === undefined) return [notSupported(field.child('kind'), kind, ['Group', 'ServiceAccount', 'User'])];
  const named = objectAt(subject, own);
  return [
    ...(named
      ? validateNamed(kind, named, field.child(own))
      : [required(field.child(own), `${own} is required when subject kind is '${kind}'`)]),
    ...subjectKinds.flatMap(([other, key]) =>
      key !== own && objectAt(subject, key)
        ? [forbidden(field.child(key), `${key} is forbidden when subject kind is not '${other}'`)]
        : [],
    ),
  ];
}

function validateNamed(kind: string, subject: JsonObject, field: Path): FieldError[] {
  const name = stringAt(subject, 'name');
  const errors = name === '' ? [required(field.child('name'), '')] : [];
  if (kind !== 'ServiceAccount') return errors;
  const namespace = stringAt(subject, 'namespace');
  if (name !== '' && name !== '*') errors.push(...messages(nameIsDNSSubdomain(name, false), field.child('name'), name));
  const at = field.child('namespace');
  return [
    ...errors,
    ...(namespace === ''
      ? [required(at, 'must specify namespace for service account')]
      : messages(nameIsDNSLabel(namespace, false), at, namespace)),
  ];
}

function validateVerbs(rule: JsonObject, field: Path): FieldError[] {
  const chosen = stringsAt(rule, 'verbs');
  if (chosen.length === 0) return [required(field, 'verbs must contain at least one value')];
  if (chosen.includes('*'))
    return chosen.length > 1 ? [invalid(field, [...chosen], "if '*' is present, must not specify other verbs")] : [];
  return chosen.every((verb) => verbs.includes(verb)) ? [] : [notSupported(field, [...chosen], verbs)];
}

function listed(values: readonly string[], missing: string, others: string, field: Path): FieldError[] {
  if (values.length === 0) return [required(field, missing)];
  return values.length > 1 && values.includes('*')
    ? [invalid(field, [...values], `if '*' is present, must not specify other ${others}`)]
    : [];
}

function validateResourceRule(rule: JsonObject, field: Path): FieldError[] {
  const namespaces = stringsAt(rule, 'namespaces');
  const at = field.child('namespaces');
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  const errors = [
    ...validateVerbs(rule, field.child('verbs')),
    ...listed(
      stringsAt(rule, 'apiGroups'),
      'resource rules must supply at least one api group',
      'api groups',
      field.child('apiGroups'),
    ),
    ...listed(
      stringsAt(rule, 'resources'),
      'resource rules must supply at least one resource',
      'resources',
      field.child('resources'),
    ),
  ];
  if (namespaces.length === 0 && booleanAt(rule, 'clusterScope') !== true) {
    return [...errors, required(at, 'resource rules that are not cluster scoped must supply at least one namespace')];
  }
  if (namespaces.includes('*')) return [...errors, ...listed(namespaces, '', 'namespaces', at)];
  return [
    ...errors,
    ...namespaces.flatMap((name, index) =>
      nameIsDNSLabel(name, false).map((text) => invalid(at.index(index), name, intro + text)),
    ),
  ];
}

function validateNonResourceRule(rule: JsonObject, field: Path): FieldError[] {
  const urls = stringsAt(rule, 'nonResourceURLs');
  const at = field.child('nonResourceURLs');
  const errors = [
    ...validateVerbs(rule, field.child('verbs')),
    ...listed(urls, 'nonResourceURLs must contain at least one value', 'non-resource URLs', at),
  ];
  if (urls.includes('*')) return errors;
  return [
    ...errors,
    ...urls.flatMap((url, index) => {
      const problem = urlProblem(url);
      return problem === '' ? [] : [invalid(at.index(index), url, problem)];
    }),
  ];
}

function urlProblem(url: string): string {
  if (url === '') return 'must not be empty';
  if (url === '/') return '';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split('*').length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : '';
}
