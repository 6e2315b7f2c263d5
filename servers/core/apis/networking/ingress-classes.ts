import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import {
  forbidden,
  invalid,
  notSupported,
  path,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { setDefault } from '#shared/apimachinery/set-default.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import {
  isDNS1123Subdomain,
  nameIsDNSLabel,
  nameIsPathSegment,
  patternMessage,
} from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { ingressClassRows } from './rows.ts';

const maxControllerBytes = 250;
const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const pathForm = new RegExp(`^${pathPattern}$`);

/** IngressClasses (pkg/apis/networking/v1/defaults.go, pkg/apis/networking/validation). */
const ingressClassStrategy: Strategy = {
  applyDefaults(ingressClass) {
    const parameters = objectAt(ingressClass, 'spec', 'parameters');
    if (parameters) setDefault(parameters, 'scope', 'Cluster');
  },
  validate: validateIngressClass,
  validateUpdate: (ingressClass, old) => [
    ...validateImmutableField(
      stringAt(ingressClass, 'spec', 'controller'),
      stringAt(old, 'spec', 'controller'),
      path('spec', 'controller'),
    ),
    ...validateIngressClass(ingressClass),
  ],
};

function validateIngressClass(ingressClass: KubeObject): FieldError[] {
  const controller = stringAt(ingressClass, 'spec', 'controller');
  const field = path('spec', 'controller');
  return [
    ...(Buffer.byteLength(controller) > maxControllerBytes ? [tooLong(field, '', maxControllerBytes)] : []),
    ...validateController(controller, field),
    ...validateParameters(objectAt(ingressClass, 'spec', 'parameters'), path('spec', 'parameters')),
  ];
}

/** `domain/path`. */
function validateController(controller: string, field: Path): FieldError[] {
  if (controller === '') return [required(field, '')];
  const slash = controller.indexOf('/');
  const [host, rest] = [controller.slice(0, Math.max(slash, 0)), controller.slice(slash + 1)];
  if (host === '' || rest === '')
    return [invalid(field, controller, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = messages(isDNS1123Subdomain(host), field, host);
  return pathForm.test(rest) ? errors : [...errors, invalid(field, rest, patternMessage('Invalid path', pathPattern))];
}

function validateParameters(parameters: JsonObject | undefined, field: Path): FieldError[] {
  if (!parameters) return [];
  const [group, scope, namespace] = [parameters['apiGroup'], stringAt(parameters, 'scope'), parameters['namespace']];
  const segment = (key: string): FieldError[] => {
    const text = stringAt(parameters, key);
    return text === ''
      ? [required(field.child(key), '')]
      : messages(nameIsPathSegment(text, false), field.child(key), text);
  };
  const errors = [
    ...(typeof group === 'string' ? messages(isDNS1123Subdomain(group), field.child('apiGroup'), group) : []),
    ...segment('kind'),
    ...segment('name'),
  ];
  const at = field.child('namespace');
  if (scope !== 'Cluster' && scope !== 'Namespace')
    return [...errors, notSupported(field.child('scope'), scope, ['Cluster', 'Namespace'])];
  if (scope === 'Cluster')
    return typeof namespace === 'string'
      ? [...errors, forbidden(at, "`parameters.scope` is set to 'Cluster'")]
      : errors;
  return [
    ...errors,
    ...(typeof namespace === 'string'
      ? messages(nameIsDNSLabel(namespace, false), at, namespace)
      : [required(at, "`parameters.scope` is set to 'Namespace'")]),
  ];
}

export const ingressClassResource = defineBuiltIn({
  group: 'networking.k8s.io',
  resource: 'ingressclasses',
  rows: ingressClassRows,
  strategy: ingressClassStrategy,
  writes: {
    metadataOnUpdate: 'both',
    generation: 'spec',
  },
});
