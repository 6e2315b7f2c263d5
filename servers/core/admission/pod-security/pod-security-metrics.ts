import type { LevelVersion } from '#shared/admission/configuration/pod-security-configuration.ts';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { isCore, isPods } from '#shared/admission/contract/attribute-match.ts';
import { ownRelease } from '#shared/apimachinery/release-version.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const evaluations = processRegistry.counter(
  'pod_security_evaluations_total',
  '[ALPHA] Number of policy evaluations that occurred, not counting ignored or exempt requests.',
  ['decision', 'policy_level', 'policy_version', 'mode', 'request_operation', 'resource', 'subresource'],
);
const exemptions = processRegistry.counter(
  'pod_security_exemptions_total',
  '[ALPHA] Number of exempt requests, not counting ignored or out of scope requests.',
  ['request_operation', 'resource', 'subresource'],
);
const errors = processRegistry.counter(
  'pod_security_errors_total',
  '[ALPHA] Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
  ['fatal', 'request_operation', 'resource', 'subresource'],
);

// What the reference shows from the start, so that the first request of a kind is an increase.
for (const operation of ['create', 'update']) {
  evaluations.of('allow', 'privileged', 'latest', 'enforce', operation, 'pod', '');
  for (const resource of ['pod', 'controller']) exemptions.of(operation, resource, '');
}

const ownMinor = Number(ownRelease.split('.')[1]);

/** Counts one verdict by a level (pod-security-admission/metrics). */
export function countVerdict(
  decision: 'allow' | 'deny',
  mode: 'enforce' | 'audit' | 'warn',
  policy: LevelVersion,
  attributes: AdmissionAttributes,
): void {
  evaluations.add(decision, policy.level, versionOf(policy), mode, ...requestOf(attributes));
}

export function countExemption(attributes: AdmissionAttributes): void {
  exemptions.add(...requestOf(attributes));
}

/** @param isFatal whether the request was not evaluated; otherwise labels of its namespace cannot be read */
export function countError(isFatal: boolean, attributes: AdmissionAttributes): void {
  errors.add(String(isFatal), ...requestOf(attributes));
}

function versionOf({ level, minor }: LevelVersion): string {
  if (minor === Infinity || level === 'privileged') return 'latest';
  return minor > ownMinor ? 'future' : `v1.${minor}`;
}

function requestOf({ operation, resource, subresource }: AdmissionAttributes): [string, string, string] {
  const kind = isPods(resource) ? 'pod' : isCore(resource, 'namespaces') ? 'namespace' : 'controller';
  return [operation.toLowerCase(), kind, subresource];
}
