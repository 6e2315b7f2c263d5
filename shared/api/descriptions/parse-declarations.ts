/** The comments of one generated class, interface or type. A text is empty where there is no comment. */
export interface Declaration {
  readonly text: string;
  readonly fields: ReadonlyMap<string, { readonly text: string; readonly type: string }>;
}

const typeLine = /^export (?:declare class|interface|type) (\w+)/;
const fieldLine = /^ {4}(['"]?)([^'"\s(?]+)\1\??: (.+?);?$/;
const oneLine = /^\/\*\* (.*) \*\/$/;

/**
 * Reads a `.d.ts` as generators of clients write it: comments right before types and fields. Returns the types by name.
 * `escapes` matches what the generator put into texts.
 */
export function parseDeclarations(source: string, escapes: RegExp): ReadonlyMap<string, Declaration> {
  const types = new Map<string, Declaration>();
  let fields = new Map<string, { text: string; type: string }>();
  let comment: string[] | undefined;
  let last = '';
  for (const line of source.split('\n')) {
    const trimmed = line.trimStart();
    if (trimmed === '/**') comment = [];
    else if (comment !== undefined && trimmed === '*/') {
      last = comment.join('\n');
      comment = undefined;
    } else if (comment !== undefined) comment.push(trimmed.replace(/^\* ?/, '').replaceAll(escapes, ''));
    else if (trimmed.startsWith('/**')) last = oneLine.exec(trimmed)?.[1]?.replaceAll(escapes, '') ?? '';
    else {
      const [, name] = typeLine.exec(line) ?? [];
      const [, , field, type] = fieldLine.exec(line) ?? [];
      if (name !== undefined) types.set(name, { text: last, fields: (fields = new Map()) });
      else if (field !== undefined && type !== undefined) fields.set(field, { text: last, type });
      last = '';
    }
  }
  return types;
}
