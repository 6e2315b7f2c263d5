import { unionAuthenticator, authenticatedGroupAdder, withAnonymous } from './union.ts';
import type { RequestAuthenticator, TokenAuthenticator } from './contract/authenticator.ts';
import { bearerTokenAuthenticator, websocketTokenAuthenticator } from './bearer-token.ts';
import { CaBundle } from './client-certificates/ca-bundle.ts';
import { RequestHeaderAuthenticator } from './request-header.ts';
import type { ReadBoundObject } from './service-account/bound-objects.ts';
import { readVerificationKeys, type VerificationKey } from './service-account/signing-keys.ts';
import { ServiceAccountTokenAuthenticator } from './service-account/token-authenticator.ts';
import { TokenFileAuthenticator } from './token-file.ts';
import { cachedTokenAuthenticator, unionTokenAuthenticator } from './token-union.ts';
import { X509Authenticator } from './client-certificates/x509.ts';

/** What says how clients are recognized; flags of `ServerOptions`, but for two that follow from them. */
export interface AuthenticationOptions {
  readonly anonymousAuth: boolean;
  readonly apiAudiences: readonly string[];
  /** Where everything is allowed nobody is anonymous. Empty: everything is. */
  readonly authorizationMode: readonly string[];
  /** Authorities of client certificates; empty: there are none. */
  readonly clientCaFile: string;
  /** Authorities that are believed beside those, and named to nobody. */
  readonly ownClientCaFiles: readonly string[];
  /** Whether an attribute of a client certificate's subject is the user's uid. */
  readonly readsCertificateUids: boolean;
  readonly requestheaderAllowedNames: readonly string[];
  readonly requestheaderClientCaFile: string;
  readonly requestheaderExtraHeadersPrefix: readonly string[];
  readonly requestheaderGroupHeaders: readonly string[];
  readonly requestheaderUidHeaders: readonly string[];
  readonly requestheaderUsernameHeaders: readonly string[];
  readonly serviceAccountIssuer: readonly string[];
  readonly serviceAccountKeyFile: readonly string[];
  readonly serviceAccountLookup: boolean;
  readonly tlsPrivateKeyFile: string;
  readonly tokenAuthFile: string;
}

export interface Authentication {
  readonly authenticator: RequestAuthenticator;
  /** For TokenReview; answers without system:authenticated. */
  readonly tokens: TokenAuthenticator;
  readonly apiAudiences: readonly string[];
  /** Whether who brings no credential is somebody: system:anonymous. */
  readonly letsAnonymousIn: boolean;
  /** Authorities of client certificates, for the TLS listener (`clientCas`) and the published ConfigMap. */
  readonly clientCa: CaBundle | undefined;
  readonly requestHeaderCa: CaBundle | undefined;
  readonly serviceAccountKeys: readonly VerificationKey[];
}

const tokenTtlMs = 10_000;

/** All authenticators that the options ask for, in the reference's order. Throws for files that cannot be read. */
export function createAuthentication(options: AuthenticationOptions, read: ReadBoundObject): Authentication {
  const requestHeaderCa =
    options.requestheaderClientCaFile === '' ? undefined : new CaBundle(options.requestheaderClientCaFile);
  const clientCa =
    options.clientCaFile === '' ? undefined : new CaBundle(options.clientCaFile, ...options.ownClientCaFiles);
  const apiAudiences = apiAudiencesOf(options);
  const keys = serviceAccountKeys(options);
  const tokens = unionTokenAuthenticator([
    ...(options.tokenAuthFile === '' ? [] : [new TokenFileAuthenticator(options.tokenAuthFile, apiAudiences)]),
    // Outside of the cache there would be a signature check and point reads for every request.
    cachedTokenAuthenticator(
      new ServiceAccountTokenAuthenticator({
        issuers: options.serviceAccountIssuer,
        keys,
        apiAudiences,
        lookup: options.serviceAccountLookup,
        read,
      }),
      tokenTtlMs,
    ),
  ]);
  const known = authenticatedGroupAdder(
    unionAuthenticator([
      ...(requestHeaderCa ? [requestHeaderAuthenticator(options, requestHeaderCa)] : []),
      ...(clientCa ? [new X509Authenticator(clientCa, options.readsCertificateUids)] : []),
      bearerTokenAuthenticator(tokens),
      websocketTokenAuthenticator(tokens),
    ]),
  );
  return {
    authenticator: letsAnonymousIn(options) ? withAnonymous(known) : known,
    tokens,
    apiAudiences,
    letsAnonymousIn: letsAnonymousIn(options),
    clientCa,
    requestHeaderCa,
    serviceAccountKeys: keys,
  };
}

/**
 * The reference turns anonymous requests off where they could do everything (`ApplyAuthorization` in
 * pkg/kubeapiserver/options).
 */
function letsAnonymousIn({ anonymousAuth, authorizationMode }: AuthenticationOptions): boolean {
  return anonymousAuth && authorizationMode.length > 0 && !authorizationMode.includes('AlwaysAllow');
}

/** `--api-audiences`, or the issuers of service-account tokens. */
function apiAudiencesOf(
  options: Pick<AuthenticationOptions, 'apiAudiences' | 'serviceAccountIssuer'>,
): readonly string[] {
  return options.apiAudiences.length > 0 ? options.apiAudiences : options.serviceAccountIssuer;
}

function serviceAccountKeys(options: AuthenticationOptions): VerificationKey[] {
  if (options.serviceAccountKeyFile.length > 0) return readVerificationKeys(options.serviceAccountKeyFile);
  return options.tlsPrivateKeyFile === '' ? [] : readVerificationKeys([options.tlsPrivateKeyFile]);
}

function requestHeaderAuthenticator(options: AuthenticationOptions, bundle: CaBundle): RequestAuthenticator {
  return new RequestHeaderAuthenticator({
    bundle,
    allowedNames: options.requestheaderAllowedNames,
    usernameHeaders: options.requestheaderUsernameHeaders,
    uidHeaders: options.requestheaderUidHeaders,
    groupHeaders: options.requestheaderGroupHeaders,
    extraHeaderPrefixes: options.requestheaderExtraHeadersPrefix,
  });
}
