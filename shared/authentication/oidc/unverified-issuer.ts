import { decodeRawUrl } from '#shared/authentication/jwt/signed-token.ts';
import { claimedIssuer } from '#shared/authentication/service-account/read-claims.ts';

/**
 * The `iss` of a token that is not verified, which chooses the authenticator: nothing else may follow from it.
 * Undefined for texts that are no tokens in compact form.
 */
export function unverifiedIssuer(token: string): string | undefined {
  const parts = token.split('.', 4);
  if (parts.length !== 3) return undefined;
  const payload = decodeRawUrl(parts[1] ?? '')?.toString('utf8');
  if (payload === undefined || /^\s*\{/.test(token)) return undefined;
  const issuer = claimedIssuer(payload);
  return issuer === 'accounts.google.com' ? 'https://accounts.google.com' : issuer;
}
