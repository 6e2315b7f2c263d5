import { CelDuration, CelError, CelTimestamp, type Value } from './value.ts';

/**
 * An expression that cannot be run: something in it that is known already fails. Thrown by an evaluation it ends that,
 * as Go's panics do cel-go's.
 */
export class ProgramError extends Error {}

/** A function was given values that it has no overload for. */
export function noSuchOverload(): CelError {
  return new CelError('no such overload');
}

/** An operator's left operand has no such operator. cel-go names it, but for values that take calls as receivers. */
export function noOperator(name: string, left: Value): CelError {
  return typeof left === 'string' || left instanceof CelDuration || left instanceof CelTimestamp
    ? noSuchOverload()
    : new CelError(`no such overload: ${name}`);
}

export const integerOverflow = 'integer overflow';
export const unsignedOverflow = 'unsigned integer overflow';
export const durationOverflow = 'duration overflow';
export const timestampOverflow = 'timestamp overflow';
