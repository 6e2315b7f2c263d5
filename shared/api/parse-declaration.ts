/** The comments of one generated class. A text is empty where there is no comment. */
export interface Declaration {
  readonly text: string;
  readonly fields: ReadonlyMap<string, { readonly text: string; readonly type: string }>;
}

const classLine = /^export declare class /;
const fieldLine = /^ {4}'([^']+)'\??: (.+?);?$/;

/** Reads a `.d.ts` as the OpenAPI generator writes it: comment blocks right before the class and its fields. */
export function parseDeclaration(source: string): Declaration {
  const fields = new Map<string, { text: string; type: string }>();
  let text = '';
  let comment: string[] | undefined;
  let last = '';
  let inClass = false;
  for (const line of source.split('\n')) {
    const trimmed = line.trim();
    if (trimmed === '/**') comment = [];
    else if (comment !== undefined && trimmed === '*/') {
      last = comment.join('\n').trim();
      comment = undefined;
    } else if (comment !== undefined) comment.push(unescape(trimmed.replace(/^\* ?/, '')));
    else if (classLine.test(line)) {
      inClass = true;
      text = last;
      last = '';
    } else {
      const field = inClass ? fieldLine.exec(line) : null;
      const [, name, type] = field ?? [];
      if (name !== undefined && type !== undefined && !fields.has(name)) fields.set(name, { text: last, type });
      last = '';
    }
  }
  return { text, fields };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(['"\\`])/g, '$1');
}
