import { validateUserAnnotations } from '#servers/core/apis/core/volumes/validation/certificate-projections.ts';
import { isKubernetesSigner, validateSignerName } from '#servers/core/validation/signer-name.ts';
import { invalid, path, required, tooLong, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { numberAt, objectAt, stringAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import { validateCertificateRequest, validatePublicKey } from './proof-of-key.ts';

const spec = path('spec');
const maxUidBytes = 128;
const minSeconds = 60 * 60;
const daySeconds = 24 * 60 * 60;
const maxSeconds = 91 * daySeconds;

/** Validates a new PodCertificateRequest (pkg/apis/certificates/validation ValidatePodCertificateRequestCreate). */
export function validatePodCertificateSpec(request: KubeObject): FieldError[] {
  const signer = stringAt(request, 'spec', 'signerName');
  const errors = [
    ...validateSignerName(signer, spec.child('signerName')),
    ...(objectAt(request, 'spec', 'unverifiedUserAnnotations')
      ? validateUserAnnotations(
          stringMapAt(request, 'spec', 'unverifiedUserAnnotations'),
          spec.child('unverifiedUserAnnotations'),
        )
      : []),
    ...['pod', 'serviceAccount', 'node'].flatMap((kind) => validateReference(request, kind)),
  ];
  const seconds = numberAt(request, 'spec', 'maxExpirationSeconds');
  if (seconds === undefined) return [...errors, required(spec.child('maxExpirationSeconds'), 'must be set')];
  const max = isKubernetesSigner(signer) ? daySeconds : maxSeconds;
  if (seconds < minSeconds || seconds > max)
    errors.push(invalid(spec.child('maxExpirationSeconds'), seconds, `must be in the range [${minSeconds}, ${max}]`));
  return [...errors, ...validateKey(request)];
}

function validateReference(request: KubeObject, kind: string): FieldError[] {
  const [name, uid] = [stringAt(request, 'spec', `${kind}Name`), stringAt(request, 'spec', `${kind}UID`)];
  const field = spec.child(`${kind}UID`);
  return [
    ...messages(nameIsDNSSubdomain(name, false), spec.child(`${kind}Name`), name),
    ...(uid === '' ? [invalid(field, uid, 'must not be empty')] : []),
    ...(Buffer.byteLength(uid) > maxUidBytes ? [tooLong(field, '', maxUidBytes)] : []),
  ];
}

/** The public key comes in a certificate request or, the older way, as a separate field with a proof of possession. */
function validateKey(request: KubeObject): FieldError[] {
  const [stub, key, proof] = ['stubPKCS10Request', 'pkixPublicKey', 'proofOfPossession'].map((name) =>
    Buffer.from(stringAt(request, 'spec', name), 'base64'),
  ) as [Buffer, Buffer, Buffer];
  if (stub.length > 0 && key.length === 0 && proof.length === 0)
    return validateCertificateRequest(stub, spec.child('stubPKCS10Request'));
  if (stub.length > 0 || key.length === 0 || proof.length === 0)
    return [
      invalid(spec, undefined, 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'),
    ];
  return validatePublicKey(key, proof, stringAt(request, 'spec', 'podUID'), spec);
}
