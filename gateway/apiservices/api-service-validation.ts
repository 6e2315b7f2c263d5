import { Buffer } from 'node:buffer';
import { invalid, notSupported, path, required } from '#shared/apimachinery/errors/field-error.ts';
import type { FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt, valueAt } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { isDNS1035Label, isDNS1123Subdomain, isValidPortNumber } from '#shared/apimachinery/validation/names.ts';
import { apiServiceName, apiServiceSpec } from './api-service.ts';

const spec = path('spec');

/** Validates with the rules and messages of kube-aggregator/pkg/apis/apiregistration/validation. */
export function validateApiService(object: KubeObject): FieldError[] {
  const { group, version, groupPriorityMinimum, versionPriority } = apiServiceSpec(object);
  const errors: FieldError[] = [];
  const wanted = apiServiceName(group, version);
  for (const key of ['generateName', 'name'] as const) {
    const name = object.metadata[key] ?? '';
    if (name !== '' && name !== wanted)
      errors.push(invalid(path('metadata', key), name, `must be \`spec.version+"."+spec.group\`: ${goQuote(wanted)}`));
  }
  if (group === '' && version !== 'v1')
    errors.push(required(spec.child('group'), 'only v1 may have an empty group and it better be legacy kube'));
  if (group !== '') errors.push(...isDNS1123Subdomain(group).map((text) => invalid(spec.child('group'), group, text)));
  errors.push(...isDNS1035Label(version).map((text) => invalid(spec.child('version'), version, text)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    errors.push(
      invalid(spec.child('groupPriorityMinimum'), groupPriorityMinimum, 'must be positive and less than 20000'),
    );
  }
  if (versionPriority <= 0 || versionPriority > 1000)
    errors.push(invalid(spec.child('versionPriority'), versionPriority, 'must be positive and less than 1000'));
  return [
    ...errors,
    ...(objectAt(object, 'spec', 'service') === undefined ? validateLocal(object) : validateRemote(object)),
  ];
}

export function validateApiServiceStatus(object: KubeObject): FieldError[] {
  return listAt(object, 'status', 'conditions').flatMap((condition, index) => {
    const status = valueAt(condition, 'status') ?? '';
    if (status === 'True' || status === 'False' || status === 'Unknown') return [];
    return [
      notSupported(path('status').child('conditions').index(index).child('status'), status, [
        'True',
        'False',
        'Unknown',
      ]),
    ];
  });
}

function validateLocal(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const bundle = caBundleBytes(object);
  if (bundle > 0)
    errors.push(invalid(spec.child('caBundle'), `${bundle} bytes`, 'local APIServices may not have a caBundle'));
  if (valueAt(object, 'spec', 'insecureSkipTLSVerify') === true) {
    errors.push(
      invalid(spec.child('insecureSkipTLSVerify'), true, 'local APIServices may not have insecureSkipTLSVerify'),
    );
  }
  return errors;
}

function validateRemote(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  const service = objectAt(object, 'spec', 'service') ?? {};
  const at = spec.child('service');
  if ((getKey(service, 'namespace') ?? '') === '') errors.push(required(at.child('namespace'), ''));
  if ((getKey(service, 'name') ?? '') === '') errors.push(required(at.child('name'), ''));
  const port = getKey(service, 'port');
  const portErrors = isValidPortNumber(typeof port === 'number' ? port : 0);
  if (portErrors.length > 0)
    errors.push(
      invalid(at.child('port'), typeof port === 'number' ? port : 0, `port is not valid: ${portErrors.join(', ')}`),
    );
  if (valueAt(object, 'spec', 'insecureSkipTLSVerify') === true && caBundleBytes(object) > 0) {
    errors.push(invalid(spec.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'));
  }
  return errors;
}

function caBundleBytes(object: KubeObject): number {
  const bundle = valueAt(object, 'spec', 'caBundle');
  return typeof bundle === 'string' ? Buffer.byteLength(bundle, 'base64') : 0;
}
