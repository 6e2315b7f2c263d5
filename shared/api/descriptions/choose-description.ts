import { exportNameOf } from './kubernetes-models.ts';
import type { Declaration } from './parse-declarations.ts';
import { withoutValues, withValues } from './possible-values.ts';
import { restoreLines } from './restore-lines.ts';

/** The source of the versions that kubernetes-models lacks. */
export interface ClientTexts {
  ofModel(model: string): string;
  /** The text of a field, and that of the type which it refers to. */
  ofField(model: string, name: string): { readonly own: string; readonly referred: string };
}

/** The source of texts that no other has. */
export interface OlderTexts {
  text(model: string, field: string): string;
}

/** What is asked for: the text of a field, or with the empty name that of its model. */
export interface Described {
  readonly model: string;
  readonly field: string;
  /** The field's values, if it has an enum. */
  readonly values?: readonly string[];
  /** The same type in other versions of the group, newest first. */
  readonly siblings: readonly string[];
}

/**
 * Chooses among the sources. The text of kubernetes-models comes first: it is whole. The client's text of other
 * versions gets the line breaks of the same text elsewhere. Where the client has none, the text of the same field in a
 * stable version stands for it, else that of an older release, else that of the type to which the field refers.
 */
export class DescriptionSources {
  readonly #models: ReadonlyMap<string, Declaration>;
  readonly #client: ClientTexts;
  readonly #older: OlderTexts;
  readonly #laidOut = new Map<string, string>();

  constructor(models: ReadonlyMap<string, Declaration>, client: ClientTexts, older: OlderTexts) {
    this.#models = models;
    this.#client = client;
    this.#older = older;
    for (const { text, fields } of models.values())
      for (const found of [text, ...[...fields.values()].map((field) => field.text)])
        if (found !== '') this.#laidOut.set(collapse(withoutValues(found)), found);
  }

  /** The text, empty if no source has one. */
  text(described: Described): string {
    const { model, field, siblings, values } = described;
    const whole = this.#whole(model, field);
    if (whole !== '') return whole;
    const { own, referred } =
      field === '' ? { own: this.#client.ofModel(model), referred: '' } : this.#client.ofField(model, field);
    const elsewhere = siblings.map((sibling) => this.#whole(sibling, field)).filter((found) => found !== '');
    const text =
      own === ''
        ? elsewhere[0] || this.#older.text(model, field) || referred
        : (this.#laidOut.get(collapse(own)) ?? restoreLines(own));
    return values === undefined ? withoutValues(text) : withValues(text, values, [...elsewhere, text]);
  }

  #whole(model: string, field: string): string {
    const declaration = this.#models.get(exportNameOf(model));
    return (field === '' ? declaration?.text : declaration?.fields.get(field)?.text) ?? '';
  }
}

/** A text without its layout, to find it again. */
function collapse(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}
