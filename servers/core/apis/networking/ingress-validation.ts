import type { Gates } from '#servers/core/gates/gates.ts';
import { validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import { invalid, path, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { sloppyAddress } from '#shared/apimachinery/net/address-range.ts';
import {
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringsAt,
  valueAt,
  type KubeObject,
} from '#shared/apimachinery/object.ts';
import { givenOneOf, messages } from '#shared/apimachinery/validation/field-rules.ts';
import {
  isDNS1123Subdomain,
  isValidPortName,
  isValidPortNumber,
  isWildcardDNS1123Subdomain,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsPathSegment,
  type NameRule,
} from '#shared/apimachinery/validation/names.ts';

const specField = path('spec');
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const badSequences = ['//', '/./', '/../', '%2f', '%2F'];
const badSuffixes = ['/..', '/.'];

/** Stood for `ingressClassName` before 1.18. */
export const classAnnotation = 'kubernetes.io/ingress.class';

/** A new Ingress may name its class twice, but not two classes. */
export function validateClassAnnotation(ingress: KubeObject): FieldError[] {
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  const name = valueAt(ingress, 'spec', 'ingressClassName');
  return annotated === undefined || typeof name !== 'string' || annotated === name
    ? []
    : [
        invalid(
          path('annotations', classAnnotation),
          annotated,
          'must match `ingressClassName` when both are specified',
        ),
      ];
}

/** Ingresses (pkg/apis/networking/validation). */
export function validateIngress(ingress: KubeObject, gates: Gates, old?: KubeObject): FieldError[] {
  const isServiceName =
    gates.RelaxedServiceNameValidation || usesRelaxedName(old) ? nameIsDNSLabel : nameIsDNS1035Label;
  const spec = objectAt(ingress, 'spec') ?? {};
  const [rules, backend, className] = [
    objectsAt(spec, 'rules'),
    objectAt(spec, 'defaultBackend'),
    spec['ingressClassName'],
  ];
  return [
    ...(rules.length === 0 && !backend
      ? [
          invalid(
            specField,
            Array.isArray(spec['rules']) ? [] : null,
            'either `defaultBackend` or `rules` must be specified',
          ),
        ]
      : []),
    ...(backend ? validateBackend(backend, isServiceName, specField.child('defaultBackend')) : []),
    ...rules.flatMap((rule, index) => validateRule(rule, isServiceName, specField.child('rules').index(index))),
    ...objectsAt(spec, 'tls').flatMap((tls, index) => validateTls(tls, specField.child('tls').index(index))),
    ...(typeof className === 'string'
      ? messages(nameIsDNSSubdomain(className, false), specField.child('ingressClassName'), className)
      : []),
  ];
}

/** Whether an Ingress names a Service whose name starts with a digit (KEP-5311). */
function usesRelaxedName(ingress: KubeObject | undefined): boolean {
  const backends = [
    objectAt(ingress, 'spec', 'defaultBackend'),
    ...objectsAt(ingress, 'spec', 'rules').flatMap((rule) =>
      objectsAt(rule, 'http', 'paths').map((item) => objectAt(item, 'backend')),
    ),
  ];
  return backends
    .flatMap((backend) => objectAt(backend, 'service') ?? [])
    .some(
      (service) =>
        nameIsDNSLabel(stringAt(service, 'name'), false).length === 0 &&
        nameIsDNS1035Label(stringAt(service, 'name'), false).length > 0,
    );
}

function hostErrors(host: string, field: Path): FieldError[] {
  return messages(host.includes('*') ? isWildcardDNS1123Subdomain(host) : isDNS1123Subdomain(host), field, host);
}

function validateRule(rule: JsonObject, isServiceName: NameRule, field: Path): FieldError[] {
  const host = stringAt(rule, 'host');
  const http = objectAt(rule, 'http');
  const isAddress = host !== '' && sloppyAddress(host) !== undefined;
  const errors: FieldError[] = isAddress
    ? [invalid(field.child('host'), host, 'must be a DNS name, not an IP address')]
    : [];
  if (host !== '') errors.push(...hostErrors(host, field.child('host')));
  if (!http) return errors;
  const at = field.child('http', 'paths');
  const paths = objectsAt(http, 'paths');
  return [
    ...errors,
    ...(paths.length === 0 ? [required(at, '')] : []),
    ...paths.flatMap((item, index) => validatePath(item, isServiceName, at.index(index))),
  ];
}

function validatePath(item: JsonObject, isServiceName: NameRule, field: Path): FieldError[] {
  const [type, text] = [item['pathType'], stringAt(item, 'path')];
  if (typeof type !== 'string') return [required(field.child('pathType'), 'pathType must be specified')];
  const at = field.child('path');
  const errors: FieldError[] = givenOneOf(type, pathTypes, field.child('pathType'));
  const strict = type === 'Exact' || type === 'Prefix';
  if ((strict || (type === 'ImplementationSpecific' && text !== '')) && !text.startsWith('/'))
    errors.push(invalid(at, text, 'must be an absolute path'));
  if (strict) {
    errors.push(
      ...badSequences
        .filter((part) => text.includes(part))
        .map((part) => invalid(at, text, `must not contain '${part}'`)),
    );
    errors.push(
      ...badSuffixes
        .filter((part) => text.endsWith(part))
        .map((part) => invalid(at, text, `cannot end with '${part}'`)),
    );
  }
  return [...errors, ...validateBackend(objectAt(item, 'backend') ?? {}, isServiceName, field.child('backend'))];
}

function validateBackend(backend: JsonObject, isServiceName: NameRule, field: Path): FieldError[] {
  const [resource, service] = [objectAt(backend, 'resource'), objectAt(backend, 'service')];
  if (resource && service) return [invalid(field, '', 'cannot set both resource and service backends')];
  if (resource) return validateReference(resource, field.child('resource'));
  return service
    ? validateServiceBackend(service, isServiceName, field)
    : [invalid(field, '', 'resource or service backend is required')];
}

function validateReference(resource: JsonObject, field: Path): FieldError[] {
  const group = resource['apiGroup'];
  const errors = typeof group === 'string' ? messages(isDNS1123Subdomain(group), field.child('apiGroup'), group) : [];
  return [
    ...errors,
    ...['kind', 'name'].flatMap((key) => {
      const text = stringAt(resource, key);
      return text === ''
        ? [required(field.child(key), '')]
        : messages(nameIsPathSegment(text, false), field.child(key), text);
    }),
  ];
}

function validateServiceBackend(service: JsonObject, isServiceName: NameRule, field: Path): FieldError[] {
  const [name, portName, number] = [
    stringAt(service, 'name'),
    stringAt(service, 'port', 'name'),
    numberAt(service, 'port', 'number') ?? 0,
  ];
  const at = field.child('service');
  const errors =
    name === '' ? [required(at.child('name'), '')] : messages(isServiceName(name, false), at.child('name'), name);
  if (portName !== '' && number !== 0)
    return [...errors, invalid(field, '', 'cannot set both port name & port number')];
  if (portName !== '') return [...errors, ...messages(isValidPortName(portName), at.child('port', 'name'), portName)];
  return [
    ...errors,
    ...(number === 0
      ? [required(field, 'port name or number is required')]
      : messages(isValidPortNumber(number), at.child('port', 'number'), number)),
  ];
}

function validateTls(tls: JsonObject, field: Path): FieldError[] {
  const secret = stringAt(tls, 'secretName');
  return [
    ...stringsAt(tls, 'hosts').flatMap((host, index) => hostErrors(host, field.child('hosts').index(index))),
    ...(secret === '' ? [] : messages(nameIsDNSSubdomain(secret, false), field.child('secretName'), secret)),
  ];
}

/** Validates the ingress points of the load balancer; addresses of the old status keep their spelling. */
export function validateIngressStatus(ingress: KubeObject, gates: Gates, old: KubeObject): FieldError[] {
  const points = (object: KubeObject) => objectsAt(object, 'status', 'loadBalancer', 'ingress');
  const before = new Set(points(old).map((point) => stringAt(point, 'ip')));
  return points(ingress).flatMap((point, index) => {
    const [ip, host, at] = [
      stringAt(point, 'ip'),
      stringAt(point, 'hostname'),
      path('status', 'loadBalancer', 'ingress').index(index),
    ];
    return [
      ...(ip === '' ? [] : validateLegacyAddress(ip, gates, at.child('ip'), before)),
      ...(host === '' ? [] : messages(isDNS1123Subdomain(host), at.child('hostname'), host)),
      ...(sloppyAddress(host) === undefined
        ? []
        : [invalid(at.child('hostname'), host, 'must be a DNS name, not an IP address')]),
    ];
  });
}
