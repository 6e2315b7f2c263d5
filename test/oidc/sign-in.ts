import { logIn } from './browser.ts';
import { CodeFlow } from './code-flow.ts';
import type { IdentityProvider } from './identity-provider.ts';

const redirectUri = 'http://127.0.0.1:1/callback';

/** The ID token that an account gets by the authorization code flow. */
export async function signIn(
  provider: IdentityProvider,
  account: string,
  clientId: string,
  scopes: readonly string[],
): Promise<string> {
  const { ca } = provider.authority;
  const flow = new CodeFlow({ issuer: provider.url, clientId, scopes, ca });
  const answered = await logIn(await flow.authorizationUrl(redirectUri), account, ca);
  return (await flow.redeem(answered, redirectUri)).id_token;
}
