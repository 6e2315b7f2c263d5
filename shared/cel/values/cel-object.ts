import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { CelType } from './cel-type.ts';
import type { CelError, Value } from './value.ts';

/**
 * The base class of CEL values for which JavaScript has no primitive: other kinds of numbers, times, lists, maps,
 * types, and the opaque objects of libraries. Opaque objects extend this class directly and override `equals`; without
 * an override an object equals only itself.
 */
export abstract class CelObject {
  /** The type at run time; the type of a list or map does not include the types of its entries. */
  abstract get type(): CelType;

  /**
   * Whether this value equals another value of any type; an error if the two cannot be compared. Lists and maps are
   * compared by `equals` of equality.ts.
   */
  equals(other: unknown): boolean | CelError {
    return this === other;
  }

  /** Replaces `equals` for values so large that a comparison must run in steps. */
  equalsInSteps?(other: unknown): Steps<boolean | CelError>;

  /** The identity of this value as a map key in an expression: what Go's `==` compares in cel-go. */
  get mapKey(): unknown {
    return this;
  }

  /** The value as read through an optional: JSON without its schema, because cel-go uses Go's native value there. */
  get plain(): Value {
    return this;
  }

  /**
   * How many elements or characters a function over this value may have to visit. Costs do not include this for opaque
   * objects.
   */
  get workSize(): number {
    return 0;
  }

  /** The size for cost accounting, such as a number of elements or characters; undefined for values without a size. */
  get costSize(): number | undefined {
    return undefined;
  }
}
