import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { SignerGuard } from '#servers/core/apis/contract/guards.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import { sameAs } from '#shared/api/same-by-type.ts';
import { forbidden, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { keepOwnMetadata } from '#shared/registry/object-metadata.ts';
import type { OperationContext, Strategy } from '#shared/registry/strategy.ts';
import { validatePodCertificateSpec } from './pod-certificate-spec.ts';
import { validatePodCertificateStatus } from './pod-certificate-status.ts';
import { podCertificateRequestRows } from './rows.ts';

/**
 * PodCertificateRequests (pkg/registry/certificates/podcertificaterequest): kubelets make them, signers write their
 * status.
 */
export function podCertificateRequestStrategy(guard: SignerGuard): Strategy {
  return {
    validate: validatePodCertificateSpec,
    validateUpdate: (request, old) =>
      validateUnchanged(
        'io.k8s.api.certificates.v1beta1.PodCertificateRequestSpec',
        request['spec'],
        old['spec'],
        path('spec'),
      ),
    prepareForStatusUpdate: (request, old) => keepOwnMetadata(request.metadata, old.metadata),
    async validateStatusUpdate(request, old, context) {
      const errors = validatePodCertificateStatus(request, old, context.nowMs);
      return errors.length > 0 ? errors : signerErrors(guard, context, request, old);
    },
  };
}

async function signerErrors(
  guard: SignerGuard,
  { user }: OperationContext,
  request: KubeObject,
  old: KubeObject,
): Promise<FieldError[]> {
  if (
    sameAs('io.k8s.api.certificates.v1beta1.PodCertificateRequestStatus', request['status'] ?? {}, old['status'] ?? {})
  )
    return [];
  const signer = stringAt(old, 'spec', 'signerName');
  if (await guard.maySign(user, signer)) return [];
  return [
    forbidden(
      path('spec', 'signerName'),
      `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signer)}`,
    ),
  ];
}

export const podCertificateRequestResource = defineBuiltIn({
  group: 'certificates.k8s.io',
  resource: 'podcertificaterequests',
  rows: podCertificateRequestRows,
  strategy: podCertificateRequestStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    resetFields: { status: [['spec']] },
  },
});
