import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthentication, type Authentication } from '#shared/authentication/create-authenticator.ts';
import type { TokenObjects } from '#shared/authentication/service-account/bound-objects.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { featureGates } from '#shared/server/options/feature-gates.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { pkiPaths } from './data-directory.ts';

/** Authentication of a server's clients, by its options. CA files are read again when they change. */
export function openAuthentication(options: ServerOptions, objects: TokenObjects, logger: Logger): Authentication {
  const readsCertificateUids = featureGates(options).gates.isEnabled('AllowParsingUserUIDFromCertAuth');
  const authentication = createAuthentication(
    { ...options, ownClientCaFiles: ownClientCaFiles(options), readsCertificateUids },
    objects,
    (message, error) => logger.error(message, error),
  );
  for (const bundle of [authentication.clientCa, authentication.requestHeaderCa])
    bundle?.follow((error) => logger.error('the authorities of certificates stay as they were', error));
  return authentication;
}

/**
 * The CA of the data directory, trusted beside the one in `--client-ca-file`, so that the kubeconfig there works too.
 */
function ownClientCaFiles({ clientCaFile, dataDir }: ServerOptions): string[] {
  const own = pkiPaths(join(dataDir, 'pki')).caCert;
  return own === clientCaFile || !existsSync(own) ? [] : [own];
}
