import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { parseSemanticVersion, type SemanticVersion } from '#shared/apimachinery/values/semantic-version.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { microsAt } from './micro-time.ts';

/** A process that wants to lead: what an election reads of its LeaseCandidate (KEP-4355). */
export interface Candidate {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  /** The Lease, in the same namespace, whose holder it wants to be. */
  readonly leaseName: string;
  readonly strategy: string;
  readonly emulation: SemanticVersion | undefined;
  readonly binary: SemanticVersion | undefined;
  readonly createdMs: number;
  /** When the candidate last said that it is there, and when it was last asked, in microseconds since 1970. */
  readonly renewed: number | undefined;
  readonly pinged: number | undefined;
}

/** Path of a LeaseCandidate, in the version in which this server writes it. */
export function candidatePath(namespace: string, name: string): string {
  const all = `/apis/coordination.k8s.io/v1beta1/namespaces/${encodeURIComponent(namespace)}/leasecandidates`;
  return `${all}/${encodeURIComponent(name)}`;
}

export function candidateOf(entry: CacheEntry): Candidate {
  const object = JSON.parse(entry.json.toString('utf8')) as KubeObject;
  const { name = '', namespace = '', creationTimestamp, resourceVersion = '' } = object.metadata;
  const spec = objectAt(object, 'spec') ?? {};
  return {
    namespace,
    name,
    resourceVersion,
    leaseName: stringAt(spec, 'leaseName'),
    strategy: stringAt(spec, 'strategy'),
    emulation: parseSemanticVersion(stringAt(spec, 'emulationVersion')),
    binary: parseSemanticVersion(stringAt(spec, 'binaryVersion')),
    createdMs: timeToMs(creationTimestamp ?? '') ?? 0,
    renewed: microsAt(spec, 'renewTime'),
    pinged: microsAt(spec, 'pingTime'),
  };
}

/** Whether the candidate was asked and has not answered. */
export function owesAnswer({ pinged, renewed }: Candidate): boolean {
  return pinged !== undefined && (renewed === undefined || renewed < pinged);
}

/** How long a candidate counts without being renewed, in microseconds. */
export const candidateValidMicros = 30 * 60 * 1_000_000;

export function isCandidateExpired({ renewed }: Pick<Candidate, 'renewed'>, now: number): boolean {
  return renewed === undefined || renewed + candidateValidMicros < now;
}
