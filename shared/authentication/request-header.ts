import { listUnder } from '#shared/apimachinery/json/json.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { extraKey, headerText, headerTexts } from '#shared/request/header-values.ts';
import { lastInSubject, type Certificate } from '#shared/x509/certificate.ts';
import { nameTypes } from '#shared/x509/distinguished-name.ts';
import type { CaBundle } from './client-certificates/ca-bundle.ts';
import { ConnectionCertificates } from './client-certificates/x509.ts';
import { AuthenticationError, type AuthenticationAnswer, type RequestAuthenticator } from './contract/authenticator.ts';

export interface RequestHeaderOptions {
  readonly bundle: CaBundle;
  /** Common names of proxies; empty for any certificate of the authorities. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Reads the identity from headers set by proxies that authenticate with a certificate of the front-proxy CA. */
export class RequestHeaderAuthenticator implements RequestAuthenticator {
  readonly #options: RequestHeaderOptions;
  readonly #proxies: ConnectionCertificates<true>;

  constructor(options: RequestHeaderOptions) {
    const lower = (names: readonly string[]): string[] => names.map((name) => name.trim().toLowerCase());
    this.#options = {
      ...options,
      usernameHeaders: lower(options.usernameHeaders),
      uidHeaders: lower(options.uidHeaders),
      groupHeaders: lower(options.groupHeaders),
      extraHeaderPrefixes: lower(options.extraHeaderPrefixes),
    };
    this.#proxies = new ConnectionCertificates(options.bundle, (certificate) =>
      passes(certificate, options.allowedNames),
    );
  }

  authenticate(exchange: Exchange): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const sent = exchange.peerCertificates();
    if (sent === undefined) return undefined;
    const passed = this.#proxies.judge(sent);
    return passed instanceof Promise ? passed.then(() => this.#userOf(exchange)) : this.#userOf(exchange);
  }

  #userOf(exchange: Exchange): AuthenticationAnswer {
    const { usernameHeaders, uidHeaders, groupHeaders } = this.#options;
    const name = firstValue(exchange, usernameHeaders);
    if (name === '') return undefined;
    const groups = groupHeaders.flatMap((header) => headerTexts(exchange, header)).filter((group) => group !== '');
    return { user: { name, uid: firstValue(exchange, uidHeaders), groups, extra: this.#extra(exchange) } };
  }

  #extra(exchange: Exchange): Record<string, string[]> {
    const extra: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
    for (const prefix of this.#options.extraHeaderPrefixes) {
      for (const header of Object.keys(exchange.headers)) {
        if (!header.startsWith(prefix)) continue;
        listUnder(extra, extraKey(header.slice(prefix.length))).push(...headerTexts(exchange, header));
      }
    }
    return extra;
  }
}

/** Passes if the owner of a verified certificate may name users. @throws AuthenticationError */
function passes(certificate: Certificate, allowedNames: readonly string[]): true {
  const commonName = lastInSubject(certificate, nameTypes.commonName);
  if (allowedNames.length > 0 && !allowedNames.includes(commonName))
    throw new AuthenticationError(`x509: subject with cn=${commonName} is not in the allowed list`);
  return true;
}

function firstValue(exchange: Exchange, headers: readonly string[]): string {
  for (const header of headers) {
    const value = headerText(exchange, header);
    if (value !== '') return value;
  }
  return '';
}
