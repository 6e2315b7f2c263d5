import type { Exchange } from '../request/exchange.ts';
import { headerValue, headerValues } from '../request/header-values.ts';
import { AuthenticationError, type AuthenticationAnswer, type RequestAuthenticator } from './authenticator.ts';
import type { CaBundle } from './ca-bundle.ts';
import { subjectValues, X509Authenticator } from './x509.ts';

export interface RequestHeaderOptions {
  readonly bundle: CaBundle;
  /** Common names of proxies; empty for any certificate of the authorities. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Identity in headers, from proxies that prove themselves with a certificate of the front-proxy authorities. */
export class RequestHeaderAuthenticator implements RequestAuthenticator {
  readonly #options: RequestHeaderOptions;
  readonly #proxies: X509Authenticator;

  constructor(options: RequestHeaderOptions) {
    const lower = (names: readonly string[]): string[] => names.map((name) => name.trim().toLowerCase());
    this.#options = {
      ...options, usernameHeaders: lower(options.usernameHeaders), uidHeaders: lower(options.uidHeaders),
      groupHeaders: lower(options.groupHeaders), extraHeaderPrefixes: lower(options.extraHeaderPrefixes),
    };
    this.#proxies = new X509Authenticator(options.bundle);
  }

  authenticate(exchange: Exchange): AuthenticationAnswer {
    const peer = exchange.peerCertificate();
    if (peer === undefined) return undefined;
    this.#proxies.authenticate(exchange);
    const { allowedNames, usernameHeaders, uidHeaders, groupHeaders } = this.#options;
    const commonName = subjectValues(peer, 'CN').at(-1) ?? '';
    if (allowedNames.length > 0 && !allowedNames.includes(commonName)) {
      throw new AuthenticationError(`x509: subject with cn=${commonName} is not in the allowed list`);
    }
    const name = firstValue(exchange, usernameHeaders);
    if (name === '') return undefined;
    const groups = groupHeaders.flatMap((header) => headerValues(exchange, header)).filter((group) => group !== '');
    return { user: { name, uid: firstValue(exchange, uidHeaders), groups, extra: this.#extra(exchange) } };
  }

  #extra(exchange: Exchange): Record<string, string[]> {
    const extra: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
    for (const prefix of this.#options.extraHeaderPrefixes) {
      for (const header of Object.keys(exchange.headers)) {
        if (!header.startsWith(prefix)) continue;
        (extra[unescapeKey(header.slice(prefix.length))] ??= []).push(...headerValues(exchange, header));
      }
    }
    return extra;
  }
}

function firstValue(exchange: Exchange, headers: readonly string[]): string {
  for (const header of headers) {
    const value = headerValue(exchange, header);
    if (value !== '') return value;
  }
  return '';
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
