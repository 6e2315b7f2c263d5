import { Buffer } from 'node:buffer';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { WebhookCallError } from './webhook-call-error.ts';

/** Why a CA bundle (PEM in base64) cannot be used, in the reference's words; undefined for one that can be used. */
export function caBundleError(caBundle: string): string | undefined {
  try {
    secureContextOf(caBundle);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

let ofSystem: SecureContext | undefined;

/**
 * Trusts the certificates of a CA bundle; the authorities of the system where it is empty.
 * @throws WebhookCallError for a CA bundle that cannot be used
 */
export function secureContextOf(caBundle: string): SecureContext {
  // Reading the authorities of the system takes some milliseconds.
  if (caBundle === '') return (ofSystem ??= createSecureContext({ ca: getCACertificates('system') }));
  const pem = Buffer.from(caBundle, 'base64').toString('utf8');
  if (!/-----BEGIN [A-Z ]+-----[^]*-----END [A-Z ]+-----/.test(pem))
    throw unloadable('unable to parse bytes as PEM block');
  try {
    return createSecureContext({ ca: pem });
  } catch (error) {
    throw unloadable(error instanceof Error ? error.message : String(error));
  }
}

function unloadable(reason: string): WebhookCallError {
  return new WebhookCallError(`unable to load root certificates: ${reason}`, { isUnusable: true });
}
