import type { Authorize } from '#shared/admission/contract/authorize.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** Whether the user has the verb for a signer, by its name or for its whole domain (pkg/certauthorization). */
export async function mayForSigner(
  authorize: Authorize,
  user: UserInfo,
  verb: 'approve' | 'attest' | 'sign',
  signerName: string,
): Promise<boolean> {
  const [domain = ''] = signerName.split('/');
  for (const name of [signerName, `${domain}/*`]) {
    const { allowed, error } = await authorize(user, {
      verb,
      group: 'certificates.k8s.io',
      version: '*',
      resource: 'signers',
      name,
    });
    if (allowed && error === undefined) return true;
  }
  return false;
}
