import { CelDuration, CelError, CelTimestamp, type Value } from './value.ts';

/**
 * An expression for which no program can be made. Thrown during an evaluation it ends it, as a panic does in cel-go.
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
