import type { KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { DecodeError } from '#shared/serializer/decode-errors.ts';

// Integers that are fields in the reference's internal types and annotations in the served ones
// (pkg/apis/apps/v1/conversion.go).

/** Go's error for a text that is no int64; empty for one that is. */
export function int64Fault(text: string): string {
  const fault = !/^[+-]?\d+$/.test(text)
    ? 'invalid syntax'
    : BigInt.asIntN(64, integerOf(text)) === integerOf(text)
      ? ''
      : 'value out of range';
  return fault === '' ? '' : `strconv.ParseInt: parsing ${goQuote(text)}: ${fault}`;
}

function integerOf(text: string): bigint {
  return BigInt(text.replace('+', ''));
}

/** The revision to which a Deployment is rolled back; no client that is left sets it. */
const rollbackKey = 'deprecated.deployment.rollback.to';

/** The revision; undefined where there is none. */
export function rollbackRevision({ metadata }: KubeObject): bigint | undefined {
  const text = metadata.annotations?.[rollbackKey] ?? '';
  return text === '' ? undefined : integerOf(text);
}

/** Brings the annotation into its canonical form. @throws DecodeError if it is not a 64-bit integer */
export function normalizeRollback(deployment: KubeObject): void {
  const text = deployment.metadata.annotations?.[rollbackKey] ?? '';
  if (text === '') return;
  const fault = int64Fault(text);
  if (fault !== '')
    throw new DecodeError(`failed to parse annotation[${rollbackKey}]=${text} as int64: ${fault}`, undefined);
  setRollback(deployment, integerOf(text));
}

/** Removes an empty annotation, which counts as a change of the annotations until then. */
export function dropEmptyRollback(deployment: KubeObject): void {
  if (deployment.metadata.annotations?.[rollbackKey] === '') setRollback(deployment, undefined);
}

/** A write of the status keeps the revision, which is in the spec there. */
export function keepRollback(deployment: KubeObject, old: KubeObject): void {
  setRollback(deployment, rollbackRevision(old));
}

function setRollback({ metadata }: KubeObject, revision: bigint | undefined): void {
  const { [rollbackKey]: _given, ...others } = metadata.annotations ?? {};
  const annotations = revision === undefined ? others : { ...others, [rollbackKey]: String(revision) };
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
  else metadata.annotations = annotations;
}
