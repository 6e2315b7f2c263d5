/** A request to the thread: one document at a time. */
export interface YamlTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The response of the thread: JSON text in UTF-8, or the error. */
export type YamlAnswer =
  | { readonly ok: true; readonly json: Uint8Array<ArrayBuffer>; readonly strictErrors: string[] }
  | { readonly ok: false; readonly failure: YamlRefusal; readonly message: string };

/**
 * `yaml`: in go-yaml's words; `list` and `object`: the bracket that is nested too deep in JSON; `stack`: nested too
 * deep for the thread.
 */
export type YamlRefusal = 'yaml' | 'list' | 'object' | 'stack' | 'other';
