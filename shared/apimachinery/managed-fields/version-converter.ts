import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { TypedValue } from './typed-value.ts';

/** Converts objects between the versions of one kind. */
export interface VersionConverter {
  /**
   * The object in another version; undefined if that version does not exist any more (its managers are dropped).
   * Waits where a webhook converts. Must return `value` itself if it is of that version already.
   */
  convert(value: TypedValue, apiVersion: string): Steps<TypedValue | undefined>;
}
