import type { Steps } from '../../apimachinery/slices.ts';
import type { CelType } from './cel-type.ts';
import type { CelError, Value } from './value.ts';

/**
 * What values of CEL are that JavaScript has no primitive for: numbers of other kinds, times, lists, maps, types, and
 * the opaque objects of libraries. Those extend it directly and say what equals them; two that give no answer are equal
 * when they are the same.
 */
export abstract class CelObject {
  /** The type at run time: for lists and maps without the types of what they hold. */
  abstract get type(): CelType;

  /**
   * Whether another value equals this one, of whatever type it is; an error where the two cannot be compared. Lists and
   * maps are compared by `equals` of equality.ts.
   */
  equals(other: unknown): boolean | CelError {
    return this === other;
  }

  /** In place of `equals`, of what may hold so much that comparing it takes steps. */
  equalsInSteps?(other: unknown): Steps<boolean | CelError>;

  /** The identity of this value as a map key in an expression: what Go's `==` compares in cel-go. */
  get mapKey(): unknown {
    return this;
  }

  /** The value as seen through an optional: JSON without its schema, since cel-go takes Go's native value there. */
  get plain(): Value {
    return this;
  }

  /**
   * How many elements or characters a function over it may have to visit. Costs do not show this for opaque objects.
   */
  get workSize(): number {
    return 0;
  }

  /** How many elements, characters or such cost accounting counts; undefined for what has no size. */
  get costSize(): number | undefined {
    return undefined;
  }
}
