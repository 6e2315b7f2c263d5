import { CelDuration, CelError, CelTimestamp, type Value } from './value.ts';

/**
 * An expression for which no program can be made. If it is thrown during an evaluation, it ends the evaluation, as a
 * panic does in cel-go.
 */
export class ProgramError extends Error {}

/** The error of a function that has no overload for its arguments. */
export function noSuchOverload(): CelError {
  return new CelError('no such overload');
}

/**
 * The error of an operator that its left operand does not support. As in cel-go, it names the operator, except for
 * strings, durations and timestamps.
 */
export function noOperator(name: string, left: Value): CelError {
  return typeof left === 'string' || left instanceof CelDuration || left instanceof CelTimestamp
    ? noSuchOverload()
    : new CelError(`no such overload: ${name}`);
}

export const integerOverflow = 'integer overflow';
export const unsignedOverflow = 'unsigned integer overflow';
export const durationOverflow = 'duration overflow';
export const timestampOverflow = 'timestamp overflow';
