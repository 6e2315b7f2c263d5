import type { FieldSet } from './field-set.ts';
import type { Managers } from './managers.ts';
import type { TypedValue } from './typed-value.ts';

/** Objects between versions of one kind. */
export interface VersionConverter {
  /**
   * The object in another version; undefined if that version does not exist any more (its managers are dropped).
   * Must return `value` itself if it is of that version already.
   */
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined;
}

export interface UpdaterOptions {
  readonly converter: VersionConverter;
  /** Fields that no manager can own, by version: cut away with all below them. */
  readonly resetFields?: ReadonlyMap<string, FieldSet> | undefined;
}

export interface ApplyOptions {
  readonly live: TypedValue;
  readonly config: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
  readonly manager: string;
  readonly force: boolean;
}

export interface UpdateOptions {
  readonly live: TypedValue;
  readonly updated: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
  readonly manager: string;
}

/** Who owns what after a write (model: structured-merge-diff's merge.Updater). */
export class Updater {
  readonly #options: UpdaterOptions;

  constructor(options: UpdaterOptions) {
    this.#options = options;
  }

  /**
   * The managers after create, update or patch. `live` is the empty object for a create.
   * @throws TypedValueError where the values do not fit their types
   */
  update(options: UpdateOptions): Managers {
    void this.#options;
    return options.managers;
  }

  /**
   * The merged object and its managers. The object equals `live` (by value; `unchanged` tells) when nothing changes.
   * @throws ConflictError, TypedValueError
   */
  apply(options: ApplyOptions): { readonly merged: TypedValue; readonly managers: Managers; readonly unchanged: boolean } {
    return { merged: options.live, managers: options.managers, unchanged: true };
  }
}
