import { featureGates } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';

const abstractSocket = /^@(?:[a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;

/** Errors in `--service-account-signing-endpoint`, and in flags that it excludes. */
export function signerFlagErrors(options: ServerOptions): string[] {
  const { serviceAccountSigningEndpoint: endpoint, serviceAccountSigningKeyFile, serviceAccountKeyFile } = options;
  if (endpoint === '') return [];
  const errors: string[] = [];
  if (serviceAccountSigningKeyFile !== '' || serviceAccountKeyFile.length > 0)
    errors.push(
      "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
    );
  if (!featureGates(options).gates.isEnabled('ExternalServiceAccountTokenSigner'))
    errors.push(
      'setting `--service-account-signing-endpoint` requires enabling ExternalServiceAccountTokenSigner feature gate',
    );
  if (endpoint.startsWith('@') && !abstractSocket.test(endpoint))
    errors.push(
      `invalid value ${JSON.stringify(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
    );
  return errors;
}
