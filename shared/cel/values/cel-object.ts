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

  /** What tells it from other keys of a map that an expression makes: what Go's `==` compares of cel-go's value. */
  get mapKey(): unknown {
    return this;
  }

  /**
   * What is left of it behind an optional variable: JSON without its schema. cel-go takes Go's own value from it there.
   */
  get plain(): Value {
    return this;
  }

  /**
   * How many elements, characters or such a function over it may have to look at; costs do not tell of opaque objects.
   */
  get workSize(): number {
    return 0;
  }

  /** How many elements, characters or such cost accounting counts; undefined for what has no size. */
  get costSize(): number | undefined {
    return undefined;
  }
}
