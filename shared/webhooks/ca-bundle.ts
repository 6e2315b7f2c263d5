import { Buffer } from 'node:buffer';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { WebhookCallError } from './webhook-call-error.ts';
import type { WebhookUser } from './webhook-users.ts';

/** Why a CA bundle (PEM in base64) cannot be used, in the reference's words; undefined for one that can be used. */
export function caBundleError(caBundle: string): string | undefined {
  try {
    secureContextOf(caBundle);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

let ofSystem: SecureContext | undefined;

/**
 * Trusts the certificates of a CA bundle, or the authorities of the system where it is empty, and presents a
 * certificate. Those of a bundle are trusted whoever issued them, as in Go: one may be the served certificate itself.
 * @throws WebhookCallError for a CA bundle or a certificate that cannot be used
 */
export function secureContextOf(caBundle: string, certificate?: WebhookUser['certificate']): SecureContext {
  const trusting = caBundle === '' ? authoritiesOfSystem() : authoritiesOf(caBundle);
  if (certificate === undefined) return trusting;
  const ca = caBundle === '' ? getCACertificates('system') : pemOf(caBundle);
  try {
    return createSecureContext({ ca, allowPartialTrustChain: true, ...certificate });
  } catch (error) {
    throw new WebhookCallError(`tls: ${messageOf(error)}`, { isUnusable: true });
  }
}

/** Reading them takes some milliseconds. */
function authoritiesOfSystem(): SecureContext {
  return (ofSystem ??= createSecureContext({ ca: getCACertificates('system') }));
}

function authoritiesOf(caBundle: string): SecureContext {
  const pem = pemOf(caBundle);
  if (!/-----BEGIN [A-Z ]+-----[^]*-----END [A-Z ]+-----/.test(pem))
    throw unloadable('unable to parse bytes as PEM block');
  try {
    return createSecureContext({ ca: pem, allowPartialTrustChain: true });
  } catch (error) {
    throw unloadable(messageOf(error));
  }
}

function pemOf(caBundle: string): string {
  return Buffer.from(caBundle, 'base64').toString('utf8');
}

function unloadable(reason: string): WebhookCallError {
  return new WebhookCallError(`unable to load root certificates: ${reason}`, { isUnusable: true });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
