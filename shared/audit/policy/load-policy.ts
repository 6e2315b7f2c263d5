import { readFileSync } from 'node:fs';
import { aggregateText } from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupVersionKind, parseGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError, decodeLeniently, strictErrorText } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { auditRules, type AuditRules } from './audit-rules.ts';
import { auditV1, internalVersion, policyScheme } from './policy-scheme.ts';
import { validatePolicy } from './validate-policy.ts';

/** Called for a policy that strict decoding refuses, and that counts nevertheless. */
export type WarnOfPolicy = (message: string) => void;

/**
 * Reads and validates the file of `--audit-policy-file` (apiserver/pkg/audit/policy/reader.go).
 * @throws ConfigurationError in the reference's words
 */
export function loadPolicyFile(file: string, warn: WarnOfPolicy): AuditRules {
  try {
    return loadPolicy(readBytes(file), warn, file);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`loading audit policy file: ${error.message}`);
  }
}

/**
 * @param file its name, for errors
 * @throws ConfigurationError
 */
function loadPolicy(bytes: Uint8Array, warn: WarnOfPolicy, file: string): AuditRules {
  try {
    return readPolicy(bytes, warn);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`${error.message}: from file ${file}`);
  }
}

/**
 * Decodes and validates a policy. Unknown and repeated fields are only warned of.
 * @throws ConfigurationError in the reference's words
 */
export function readPolicy(bytes: Uint8Array, warn: WarnOfPolicy): AuditRules {
  const { object, strictErrors } = decoded(bytes);
  const apiVersion = stringAt(object, 'apiVersion') || internalVersion;
  if (apiVersion !== auditV1) {
    const gvk = formatGroupVersionKind(parseGroupVersionKind(apiVersion, 'Policy'));
    throw new ConfigurationError(`unknown group version field ${gvk} in policy`);
  }
  const policy = auditRules(object);
  const errors = validatePolicy(policy);
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors));
  if (policy.rules.length === 0) throw new ConfigurationError('loaded illegal policy with 0 rules');
  if (strictErrors.length > 0)
    warn(`Audit policy contains errors, falling back to lenient decoding: ${strictErrorText(strictErrors)}`);
  return policy;
}

function decoded(bytes: Uint8Array): ReturnType<typeof decodeLeniently> {
  try {
    return decodeLeniently(policyScheme, bytes, parseGroupVersionKind(internalVersion, 'Policy'));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`failed decoding: ${error.message}`);
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigurationError(`failed to read file path ${goQuote(file)}: ${readError(error, file)}`);
  }
}
