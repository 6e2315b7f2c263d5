import type { Expression } from '../syntax/expression.ts';
import type { CelType } from '../values/cel-type.ts';

/** Bounds of a cost or of a size, uint64 in cel-go: they stop at {@link maxEstimate}. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** 2^64, in place of cel-go's largest uint64: an estimate without a bound. */
export const maxEstimate = 2 ** 64;

/** The estimate for one call: its cost without that of its arguments and, if known, the size of its result. */
export interface CallEstimate {
  readonly cost: Bounds;
  readonly resultSize?: Bounds;
}

/** A part of a checked expression whose cost is estimated. */
export interface EstimateNode {
  /** Undefined for elements of a list, of which nothing but type and path is known. */
  readonly expression: Expression | undefined;
  readonly type: CelType;
  /**
   * Where a value comes from: a variable and the fields, `@items`, `@keys` and `@values` that lead to it; empty for
   * what is computed.
   */
  readonly path: readonly string[];
  /** Size of a literal, or of a value computed from known sizes. */
  readonly computedSize: Bounds | undefined;
}

export interface EstimateContext {
  /** The size of a value: computed, or what the environment says of its path, or from 0 without bound. */
  sizeOf(node: EstimateNode): Bounds;
}

/**
 * What an environment knows of sizes, by path (`self.items.@items`): from the schema's maxLength, maxItems and
 * maxProperties.
 */
export interface SizeEstimator {
  estimateSize(node: EstimateNode): Bounds | undefined;
}

export const exactly = (value: number): Bounds => ({ min: value, max: value });
export const noCost = exactly(0);
export const unbounded: Bounds = { min: 0, max: maxEstimate };

export function addBounds(a: Bounds, b: Bounds): Bounds {
  return { min: limit(a.min + b.min), max: limit(a.max + b.max) };
}

export function multiplyBounds(a: Bounds, b: Bounds): Bounds {
  return { min: limit(a.min * b.min), max: limit(a.max * b.max) };
}

/** Bounds times a factor, rounded up, as cel-go multiplies by its factors (0.1 for strings). */
export function scaleBounds(bounds: Bounds, factor: number): Bounds {
  return { min: scale(bounds.min, factor), max: scale(bounds.max, factor) };
}

/** The smallest bounds that contain both. */
export function unionOfBounds(a: Bounds, b: Bounds): Bounds {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

function limit(value: number): number {
  return value >= maxEstimate ? maxEstimate : value;
}

function scale(value: number, factor: number): number {
  return limit(Math.ceil(value * factor));
}
