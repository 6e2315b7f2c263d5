import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { bearerTokenAuthenticator, websocketTokenAuthenticator } from './bearer-token.ts';
import type { BootstrapSecrets } from './bootstrap-tokens/bootstrap-secrets.ts';
import { BootstrapTokenAuthenticator } from './bootstrap-tokens/bootstrap-token-authenticator.ts';
import { CaBundle } from './client-certificates/ca-bundle.ts';
import { X509Authenticator } from './client-certificates/x509.ts';
import type { RequestAuthenticator, TokenAuthenticator } from './contract/authenticator.ts';
import type { OpenedSigner } from './external-signer/open-external-signer.ts';
import type { OpenedJwt } from './oidc/open-jwt.ts';
import { RequestHeaderAuthenticator } from './request-header.ts';
import type { TokenObjects } from './service-account/bound-objects.ts';
import { BoundTokenCache } from './service-account/bound-token-cache.ts';
import { fixedKeys, type KeySource } from './service-account/key-source.ts';
import { LegacyTokenUses } from './service-account/legacy-token-uses.ts';
import { readVerificationKeys, type VerificationKey } from './service-account/signing-keys.ts';
import { ServiceAccountTokenAuthenticator } from './service-account/token-authenticator.ts';
import { TokenUseMetrics } from './service-account/token-use-metrics.ts';
import { TokenCacheMetrics } from './token-cache/token-cache-metrics.ts';
import { TokenFileAuthenticator } from './token-file.ts';
import { unionTokenAuthenticator } from './token-union.ts';
import { openTokenWebhook } from './token-webhook/open-token-webhook.ts';
import { unionAuthenticator, authenticatedGroupAdder, withAnonymous } from './union.ts';

/** The options of authentication: flags of `ServerOptions`, and two values that follow from flags. */
export interface AuthenticationOptions {
  readonly anonymousAuth: boolean;
  readonly apiAudiences: readonly string[];
  /** How long answers of the webhook are kept, in milliseconds. */
  readonly authenticationTokenWebhookCacheTtl: number;
  /** Kubeconfig of a webhook; empty for none. */
  readonly authenticationTokenWebhookConfigFile: string;
  readonly authenticationTokenWebhookVersion: string;
  /** The file with the authorizers, in place of modes; empty for none. */
  readonly authorizationConfig: string;
  /**
   * Anonymous requests are refused if AlwaysAllow is among the modes, or if the list is empty, which means AlwaysAllow.
   */
  readonly authorizationMode: readonly string[];
  /** CA file of client certificates; empty for none. */
  readonly clientCaFile: string;
  readonly enableBootstrapTokenAuth: boolean;
  /** Further CA files that are trusted but not published. */
  readonly ownClientCaFiles: readonly string[];
  /** Whether the uid is read from an attribute of a client certificate's subject. */
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
  /** Whether a request without a credential is authenticated as system:anonymous, whatever its path. */
  readonly letsAnonymousIn: boolean;
  /** Authorities of client certificates, for the TLS listener (`clientCas`) and the published ConfigMap. */
  readonly clientCa: CaBundle | undefined;
  readonly requestHeaderCa: CaBundle | undefined;
  readonly serviceAccountKeys: KeySource;
  /** The signer that `--service-account-signing-endpoint` names. */
  readonly externalSigner: OpenedSigner | undefined;
  /** Notes when the tokens of secrets are used. */
  readonly legacyUses: LegacyTokenUses;
  metrics(): readonly Family[];
  /** Ends what follows files and objects. */
  close(): void;
}

export interface AuthenticationDependencies {
  readonly objects: TokenObjects;
  readonly externalSigner?: OpenedSigner | undefined;
  /** Opens the secrets of bootstrap tokens. */
  readonly openBootstrapSecrets: () => BootstrapSecrets;
  /** The issuers of JWTs; undefined without any. */
  readonly jwt?: OpenedJwt | undefined;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  /** How the token webhook is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  /** Whether the reference's client knows a kind, for the errors of webhooks that answer with another one. */
  readonly knowsKind: KnowsKind;
}

/** What knows tokens, besides the token file and issuers of JWTs. */
interface OpenedTokens {
  readonly serviceAccounts: TokenAuthenticator;
  readonly bootstrapSecrets: BootstrapSecrets | undefined;
  readonly webhook: ReturnType<typeof openTokenWebhook>;
}

/** All authenticators that the options enable, in the reference's order. Throws for files that cannot be read. */
export function createAuthentication(
  options: AuthenticationOptions,
  dependencies: AuthenticationDependencies,
): Authentication {
  const { objects, logger, externalSigner, jwt } = dependencies;
  const legacyUses = new LegacyTokenUses((message, error) => logger.error(message, error));
  const requestHeaderCa =
    options.requestheaderClientCaFile === '' ? undefined : new CaBundle(options.requestheaderClientCaFile);
  const clientCa =
    options.clientCaFile === '' ? undefined : new CaBundle(options.clientCaFile, ...options.ownClientCaFiles);
  const apiAudiences = apiAudiencesOf(options);
  const keys = externalSigner?.keys ?? fixedKeys(serviceAccountKeys(options));
  const cached = new TokenCacheMetrics();
  const { serviceAccounts, uses } = openServiceAccounts(options, objects, { keys, legacyUses, cached });
  const bootstrapSecrets = options.enableBootstrapTokenAuth ? dependencies.openBootstrapSecrets() : undefined;
  const webhook = openTokenWebhook(options, apiAudiences, { ...dependencies, metrics: cached });
  const tokens = tokenAuthenticator(options, dependencies, { serviceAccounts, bootstrapSecrets, webhook });
  const known = authenticatedGroupAdder(
    unionAuthenticator([
      ...(requestHeaderCa ? [requestHeaderAuthenticator(options, requestHeaderCa)] : []),
      ...(clientCa ? [new X509Authenticator(clientCa, options.readsCertificateUids)] : []),
      bearerTokenAuthenticator(tokens),
      websocketTokenAuthenticator(tokens),
    ]),
  );
  const anonymous = jwt?.anonymous ?? { enabled: letsAnonymousIn(options), conditions: [] };
  return {
    authenticator: anonymous.enabled
      ? withAnonymous(known, new Set(anonymous.conditions.map(({ path }) => path)))
      : known,
    tokens,
    apiAudiences,
    letsAnonymousIn: anonymous.enabled && anonymous.conditions.length === 0,
    clientCa,
    requestHeaderCa,
    serviceAccountKeys: keys,
    externalSigner,
    legacyUses,
    metrics: () => [
      ...uses.families,
      ...cached.families,
      ...(jwt?.metrics() ?? []),
      ...(externalSigner?.metrics ?? []),
    ],
    close() {
      clientCa?.close();
      requestHeaderCa?.close();
      serviceAccounts.close();
      bootstrapSecrets?.close();
      jwt?.close();
      webhook?.close();
      externalSigner?.close();
    },
  };
}

/** What the tokens of service accounts are checked with. */
interface AccountDependencies {
  readonly keys: KeySource;
  readonly legacyUses: LegacyTokenUses;
  readonly cached: TokenCacheMetrics;
}

function openServiceAccounts(
  options: AuthenticationOptions,
  objects: TokenObjects,
  { keys, legacyUses, cached }: AccountDependencies,
): { readonly serviceAccounts: BoundTokenCache; readonly uses: TokenUseMetrics } {
  const uses = new TokenUseMetrics();
  const authenticator = new ServiceAccountTokenAuthenticator({
    issuers: options.serviceAccountIssuer,
    keys,
    apiAudiences: apiAudiencesOf(options),
    lookup: options.serviceAccountLookup,
    uses: legacyUses,
    count: (use) => uses.count(use),
  });
  // Without the cache, every request would need a signature check and point reads.
  return { serviceAccounts: new BoundTokenCache(authenticator, objects, cached), uses };
}

/** Those that know tokens by themselves come first, those that ask others last. */
function tokenAuthenticator(
  options: AuthenticationOptions,
  { jwt, logger }: AuthenticationDependencies,
  { serviceAccounts, bootstrapSecrets, webhook }: OpenedTokens,
): TokenAuthenticator {
  const apiAudiences = apiAudiencesOf(options);
  return unionTokenAuthenticator([
    ...(options.tokenAuthFile === '' ? [] : [new TokenFileAuthenticator(options.tokenAuthFile, apiAudiences)]),
    ...(jwt ? [jwt.tokens.known] : []),
    serviceAccounts,
    ...(bootstrapSecrets ? [bootstrapAuthenticator(bootstrapSecrets, apiAudiences, logger)] : []),
    // Behind service accounts, whose tokens must not make it fetch keys.
    ...(jwt ? [jwt.tokens] : []),
    ...(webhook ? [webhook.authenticator] : []),
  ]);
}

/**
 * The reference disables anonymous requests if every request is allowed (`ApplyAuthorization` in
 * pkg/kubeapiserver/options).
 */
function letsAnonymousIn(options: AuthenticationOptions): boolean {
  const { anonymousAuth, authorizationConfig, authorizationMode: modes } = options;
  return anonymousAuth && (authorizationConfig !== '' || (modes.length > 0 && !modes.includes('AlwaysAllow')));
}

/** `--api-audiences`, or the issuers of service-account tokens. */
export function apiAudiencesOf(
  options: Pick<AuthenticationOptions, 'apiAudiences' | 'serviceAccountIssuer'>,
): readonly string[] {
  return options.apiAudiences.length > 0 ? options.apiAudiences : options.serviceAccountIssuer;
}

function serviceAccountKeys(options: AuthenticationOptions): VerificationKey[] {
  if (options.serviceAccountKeyFile.length > 0) return readVerificationKeys(options.serviceAccountKeyFile);
  return options.tlsPrivateKeyFile === '' ? [] : readVerificationKeys([options.tlsPrivateKeyFile]);
}

function bootstrapAuthenticator(
  secrets: BootstrapSecrets,
  apiAudiences: readonly string[],
  logger: AuthenticationDependencies['logger'],
): TokenAuthenticator {
  return new BootstrapTokenAuthenticator({ secrets, apiAudiences, note: (message) => logger.info(3, message) });
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
