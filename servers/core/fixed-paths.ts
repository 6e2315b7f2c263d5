import { loadDescriptions } from '#shared/api/descriptions/load-descriptions.ts';
import type { Authentication } from '#shared/authentication/create-authenticator.ts';
import {
  jwksPath,
  openidConfigurationPath,
  openidHandlers,
} from '#shared/authentication/service-account/openid-discovery.ts';
import { versionsServedBy } from '#shared/endpoints/discovery/registered-versions.ts';
import { refuseOtherMethods } from '#shared/endpoints/get-only.ts';
import { OpenApiDocuments } from '#shared/endpoints/openapi/openapi-documents.ts';
import type { RestResources } from '#shared/registry/create-rest-resources.ts';
import { checkRepresentations } from '#shared/serializer/negotiate.ts';
import { effectiveVersion } from '#shared/server/options/effective-version.ts';
import { servesCbor } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { versionInfo } from '#shared/server/options/version-info.ts';
import type { PathMux } from '#shared/server/path-mux.ts';

/** The OpenAPI documents of the resources that this server serves. */
export function coreDocuments(rest: RestResources, options: ServerOptions): OpenApiDocuments {
  const context = {
    facts: rest.facts,
    describe: loadDescriptions(),
    apiVersion: effectiveVersion(options).emulation,
    cbor: servesCbor(options),
  };
  return new OpenApiDocuments(context, versionsServedBy(rest), versionInfo.gitVersion);
}

/** Serves the keys and the issuer of service-account tokens. `address` is the advertised host and port. */
export function installTokenKeys(
  mux: PathMux,
  { serviceAccountIssuer: [issuer = ''], serviceAccountJwksUri }: ServerOptions,
  authentication: Authentication,
  address: string,
): void {
  const jwksUri = serviceAccountJwksUri || `https://${address}${jwksPath}`;
  const openid = openidHandlers(issuer, jwksUri, authentication.serviceAccountKeys);
  mux.handleService(openidConfigurationPath, (context) => {
    refuseOtherMethods(context);
    return openid.configuration(context);
  });
  mux.handleService(jwksPath, (context) => {
    refuseOtherMethods(context);
    checkRepresentations(context.exchange.headers['accept'] as string | undefined, ['application/jwk-set+json']);
    return openid.jwks(context);
  });
}
