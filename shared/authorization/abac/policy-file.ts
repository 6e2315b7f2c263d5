import { readFileSync } from 'node:fs';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { policyOfV0, policyOfV1beta1, type AbacPolicy } from './abac-policy.ts';

const group = 'abac.authorization.kubernetes.io';
/** Longer lines are refused, as by the reference's scanner. */
const maxLineBytes = 64 * 1024;

const names = ['user', 'group'].map((name) => [name, 0, 'string', 'e'] as const);
const places = ['resource', 'namespace'].map((name) => [name, 0, 'string', 'e'] as const);
const v1beta1: ConfigurationScheme = {
  isStrict: false,
  kinds: [{ apiVersion: `${group}/v1beta1`, kind: 'Policy', struct: 'Policy' }],
  types: {
    Policy: [['spec', 0, '#PolicySpec', '']],
    PolicySpec: [
      ...names,
      ['readonly', 0, 'bool', 'e'],
      ['apiGroup', 0, 'string', 'e', { g: 'APIGroup' }],
      ...places,
      ['nonResourcePath', 0, 'string', 'e'],
    ],
  },
};
const v0: ConfigurationScheme = {
  isStrict: false,
  kinds: [{ apiVersion: `${group}/v0`, kind: 'Policy', struct: 'Policy' }],
  types: { Policy: [...names, ['readonly', 0, 'bool', 'e'], ...places] },
};

export interface PolicyFile {
  readonly policies: readonly AbacPolicy[];
  /** Whether a line names no version, so that it is read as v0. */
  readonly hasUnversioned: boolean;
}

/**
 * Reads `--authorization-policy-file`: a policy as JSON on each line (pkg/auth/authorizer/abac).
 * @throws ConfigurationError the first error, with its line
 */
export function readPolicyFile(path: string): PolicyFile {
  let bytes;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new ConfigurationError(readError(error, path));
  }
  return parsePolicies(bytes, path);
}

function parsePolicies(bytes: Buffer, path: string): PolicyFile {
  const policies: AbacPolicy[] = [];
  let hasUnversioned = false;
  for (const [index, line] of linesOf(bytes).entries()) {
    if (line.length >= maxLineBytes)
      throw new ConfigurationError(`error reading policy file ${path}: bufio.Scanner: token too long`);
    const text = line.toString('utf8');
    if (/^\s*(?:#|$)/.test(text)) continue;
    try {
      const { policy, isVersioned } = parseLine(line);
      policies.push(policy);
      hasUnversioned ||= !isVersioned;
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      throw new ConfigurationError(`error reading policy file ${path}, line ${index + 1}: ${text}: ${error.message}`);
    }
  }
  return { policies, hasUnversioned };
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    lines.push(bytes.subarray(start, end > start && bytes[end - 1] === 0x0d ? end - 1 : end));
    start = end + 1;
  }
  return lines;
}

function parseLine(line: Buffer): { policy: AbacPolicy; isVersioned: boolean } {
  try {
    return { policy: policyOfV1beta1(decodeConfiguration(v1beta1, line)), isVersioned: true };
  } catch (error) {
    if (!(error instanceof ConfigurationError && error.isForeign)) throw error;
  }
  const decoded = decodeConfiguration(v0, line, { group, version: 'v0', kind: 'Policy' });
  const isVersioned = stringAt(decoded, 'apiVersion') !== '' && stringAt(decoded, 'kind') !== '';
  return { policy: policyOfV0(decoded), isVersioned };
}
