import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts } from '#shared/api/facts.ts';
import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { BootstrapSecrets } from '#shared/authentication/bootstrap-tokens/bootstrap-secrets.ts';
import { openConfiguration } from '#shared/authentication/configuration/open-configuration.ts';
import {
  apiAudiencesOf,
  createAuthentication,
  type Authentication,
} from '#shared/authentication/create-authenticator.ts';
import type { OpenedSigner } from '#shared/authentication/external-signer/open-external-signer.ts';
import type { EgressLookup } from '#shared/authentication/oidc/jwt-authenticator.ts';
import { openJwtTokens, type OpenedJwt } from '#shared/authentication/oidc/open-jwt.ts';
import { tokenObjectsOf } from '#shared/authentication/service-account/bound-objects.ts';
import { addressOf } from '#shared/egress/clients/secure-socket.ts';
import { directDial } from '#shared/egress/dial/direct-dial.ts';
import type { EgressSelector } from '#shared/egress/egress-selector.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { decodeStored } from '#shared/serializer/codec.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { pkiPaths } from './data-directory.ts';

/** Kinds that webhooks still use, and servers do not. */
const oldReviews: ReadonlySet<string> = new Set(['authentication.k8s.io/v1beta1/TokenReview']);

export interface OpenAuthenticationOptions {
  readonly storage: Storage;
  readonly facts: Facts;
  readonly logger: Logger;
  /** How webhooks and providers are reached. */
  readonly egress: EgressSelector;
  /** The identity of this process in metrics. */
  readonly serverId: string;
  /** Whether issuers of JWTs are asked for their keys. */
  readonly knowsIssuers: boolean;
}

/** Authentication of a server's clients, by its options. CA files are read again when they change. */
export async function openAuthentication(
  options: ServerOptions,
  opened: OpenAuthenticationOptions,
): Promise<Authentication> {
  const { storage, facts, logger, egress } = opened;
  const externalSigner = options.serviceAccountSigningEndpoint === '' ? undefined : await openSigner(options, logger);
  const decode = (value: Uint8Array): KubeObject => asKubeObject(atOnce(decodeStored(facts, value)).object);
  const reportError = (message: string, error: unknown): void => logger.error(message, error);
  const { gates } = featureGates(options);
  const readsCertificateUids = gates.isEnabled('AllowParsingUserUIDFromCertAuth');
  const authentication = createAuthentication(
    { ...options, ownClientCaFiles: ownClientCaFiles(options), readsCertificateUids },
    {
      externalSigner,
      objects: tokenObjectsOf(storage, decode),
      openBootstrapSecrets: () => new BootstrapSecrets({ storage, decode, reportError }),
      jwt: opened.knowsIssuers ? await openJwt(options, gates, opened) : undefined,
      dial: egress.dialer('controlplane'),
      logger,
      knowsKind: (group, version, kind) =>
        oldReviews.has(`${group}/${version}/${kind}`) || facts.byKind(group, version, kind) !== undefined,
    },
  );
  for (const bundle of [authentication.clientCa, authentication.requestHeaderCa])
    bundle?.follow((error) => logger.error('the authorities of certificates stay as they were', error));
  return authentication;
}

/** The issuers of JWTs; undefined where no flag names one. @throws ConfigurationError (as a rejection) */
async function openJwt(
  options: ServerOptions,
  gates: FeatureGates,
  { logger, serverId, egress }: OpenAuthenticationOptions,
): Promise<OpenedJwt | undefined> {
  const opened = await openConfiguration(
    options,
    gates.isEnabled('StructuredAuthenticationConfigurationEgressSelector'),
  );
  return (
    opened &&
    (await openJwtTokens(opened, {
      apiAudiences: apiAudiencesOf(options),
      countsFetches: gates.isEnabled('StructuredAuthenticationConfigurationJWKSMetrics'),
      logger,
      serverId,
      egress: options.egressSelectorConfigFile === '' ? undefined : egressLookup(egress),
    }))
  );
}

/** The ways to providers, which have hosts and ports apart. */
function egressLookup(egress: EgressSelector): EgressLookup {
  return (network) => {
    const dial = egress.dialer(network) ?? (egress.has(network) ? directDial : undefined);
    return dial && ((host, port) => dial(addressOf(host, port)));
  };
}

/**
 * The CA of the data directory, trusted beside the one in `--client-ca-file`, so that the kubeconfig there works too.
 */
function ownClientCaFiles({ clientCaFile, dataDir }: ServerOptions): string[] {
  const own = pkiPaths(join(dataDir, 'pki')).caCert;
  return own === clientCaFile || !existsSync(own) ? [] : [own];
}

/** Loaded where there is such a signer. */
async function openSigner(options: ServerOptions, logger: Logger): Promise<OpenedSigner> {
  const { openExternalSigner } = await import('#shared/authentication/external-signer/open-external-signer.ts');
  return await openExternalSigner(options, logger);
}
