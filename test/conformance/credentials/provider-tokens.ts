import { signedBy } from '#test/oidc/identity-provider.ts';
import { signIn } from '#test/oidc/sign-in.ts';
import type { Credential } from './credential.ts';
import { accounts, type Issuers } from './issuers.ts';

/**
 * ID tokens of oidc-provider for each account, by each algorithm. Its keys are rotated meanwhile: those of the last but
 * one are no longer published.
 */
export async function providerCredentials({ provider }: Issuers): Promise<Credential[]> {
  const found: Credential[] = [];
  for (const turn of ['before the last two', 'before the last', 'with the newest keys']) {
    if (found.length > 0) provider.rotate();
    for (const account of Object.keys(accounts)) {
      for (const [algorithm, clientId] of Object.entries(signedBy)) {
        const scopes = algorithm === 'ES256' ? ['openid'] : ['openid', 'email', 'groups', 'profile'];
        const token = await signIn(provider, account, clientId, scopes);
        found.push({ name: `provider: ${account} by ${algorithm}, ${turn}`, token });
      }
    }
  }
  return found;
}
