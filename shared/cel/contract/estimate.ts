import type { Expression } from '#shared/cel/syntax/expression.ts';
import type { CelType } from '#shared/cel/values/cel-type.ts';

/** Bounds of a cost or of a size. They are uint64 in cel-go and are capped at {@link maxEstimate} here. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** An unbounded estimate: 2^64, in place of cel-go's largest uint64. */
export const maxEstimate = 2 ** 64;

/** The estimate for one call: its cost without that of its arguments and, if known, the size of its result. */
export interface CallEstimate {
  readonly cost: Bounds;
  readonly resultSize?: Bounds;
}

/** A part of a checked expression whose cost is estimated. */
export interface EstimateNode {
  /** Undefined for elements of a list: only their type and path are known. */
  readonly expression: Expression | undefined;
  readonly type: CelType;
  /**
   * The path of the value: a variable, then fields, `@items`, `@keys` and `@values`; empty for a computed value.
   */
  readonly path: readonly string[];
  /** The size of a literal, or of a value computed from known sizes. */
  readonly computedSize: Bounds | undefined;
}

export interface EstimateContext {
  /** The size of a value: the computed size, else the size that the environment knows for its path, else unbounded. */
  sizeOf(node: EstimateNode): Bounds;
}

/**
 * Knows the sizes of values by path (`self.items.@items`), from the schema's maxLength, maxItems and maxProperties.
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

/** Multiplies bounds by a cost factor (0.1 for strings) and rounds up, as cel-go does. */
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
