import { goForm } from '#servers/core/validation/go-form.ts';
import { validateUnreservedPath } from '#servers/core/validation/paths.ts';
import { isKubernetesSigner, validateSignerName } from '#servers/core/validation/signer-name.ts';
import {
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import { printable, validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';

/** Records a file path of the volume. If another file has the path, returns an error with `owner` as its value. */
export type TakePath = (path: string, owner: string) => FieldError[];

// Projections of certificates (pkg/apis/core/validation validateProjectionSources; KEP-3257, KEP-4317).

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const minSeconds = 3600;
const daySeconds = 24 * 60 * 60;
const maxSeconds = 91 * daySeconds;
const maxAnnotationBytes = 256 * 1024;

/** Validates a projection of CA certificates: either a bundle by name, or the bundles of a signer. */
export function validateTrustBundle(bundle: JsonObject, take: TakePath, field: Path): FieldError[] {
  const path = stringAt(bundle, 'path');
  return [
    ...validateBundleChoice(bundle, field),
    ...(path === '' ? [required(field.child('path'), '')] : []),
    ...validateUnreservedPath(path, field.child('path')),
    ...take(path, path),
  ];
}

function validateBundleChoice(bundle: JsonObject, field: Path): FieldError[] {
  const [name, signer, selector] = [bundle['name'], bundle['signerName'], objectAt(bundle, 'labelSelector')];
  if (typeof name === 'string' && typeof signer === 'string')
    return [
      invalid(
        field,
        goForm('io.k8s.api.core.v1.ClusterTrustBundleProjection', bundle),
        'only one of name and signerName may be used',
      ),
    ];
  if (typeof name === 'string') {
    return [
      ...(name === '' ? [required(field.child('name'), 'must be a valid object name')] : []),
      ...bundleNameErrors(name).map((text) =>
        invalid(field.child('name'), name, `not a valid clustertrustbundlename: ${text}`),
      ),
      ...(selector
        ? [
            invalid(
              field.child('labelSelector'),
              printable(selector),
              'labelSelector must be unset if name is specified',
            ),
          ]
        : []),
    ];
  }
  if (typeof signer !== 'string') return [required(field, 'either name or signerName must be specified')];
  return [
    ...(signer === '' ? [required(field.child('signerName'), 'must be a valid signer name')] : []),
    ...validateSignerName(signer, field.child('signerName')),
    ...validateLabelSelector(selector, field.child('labelSelector')),
  ];
}

/** The name of a ClusterTrustBundle of a signer starts with the signer's name, with colons for slashes. */
function bundleNameErrors(name: string): string[] {
  return nameIsDNSSubdomain(name.slice(name.lastIndexOf(':') + 1), false);
}

/** Validates a `podCertificate` projection: a certificate issued for the pod. */
export function validatePodCertificate(certificate: JsonObject, take: TakePath, field: Path): FieldError[] {
  const [signer, keyType] = [stringAt(certificate, 'signerName'), stringAt(certificate, 'keyType')];
  const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath']
    .map((name) => [name, stringAt(certificate, name)] as const)
    .filter(([, path]) => path !== '');
  return [
    ...validateSignerName(signer, field.child('signerName')),
    ...validateUserAnnotations(stringMapAt(certificate, 'userAnnotations'), field.child('userAnnotations')),
    ...(keyTypes.includes(keyType) ? [] : [notSupported(field.child('keyType'), keyType, keyTypes)]),
    ...validateLifetime(
      numberAt(certificate, 'maxExpirationSeconds'),
      isKubernetesSigner(signer) ? daySeconds : maxSeconds,
      field.child('maxExpirationSeconds'),
    ),
    ...paths.flatMap(([name, path]) => [...validateUnreservedPath(path, field.child(name)), ...take(path, path)]),
    ...(paths.length === 0
      ? [required(field, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath')]
      : []),
  ];
}

function validateLifetime(seconds: number | undefined, max: number, field: Path): FieldError[] {
  if (seconds === undefined) return [];
  return [
    ...(seconds < minSeconds
      ? [invalid(field, seconds, `if provided, maxExpirationSeconds must be >= ${minSeconds}`)]
      : []),
    ...(seconds > max ? [invalid(field, seconds, `if provided, maxExpirationSeconds must be <= ${max}`)] : []),
  ];
}

/** Validates annotations for the signer: keys need a domain; their case is ignored (ValidateUserAnnotations). */
export function validateUserAnnotations(annotations: Iterable<readonly [string, string]>, field: Path): FieldError[] {
  const entries = [...annotations];
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([given]) => {
      const key = given.toLowerCase();
      if (key === '') return [required(field, '')];
      const errors = messages(isQualifiedName(key), field, key);
      return errors.length > 0 || key.includes('/')
        ? errors
        : [invalid(field, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
    }),
    ...(bytes > maxAnnotationBytes ? [tooLong(field, '', maxAnnotationBytes)] : []),
  ];
}
