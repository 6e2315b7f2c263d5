/** A place in a text, in the words of js-yaml's reader. */
export interface YamlFault {
  readonly reason: string;
  /** From 0; undefined where the reader names none. */
  readonly line: number | undefined;
}

/** js-yaml's words, and go-yaml's for the same fault found by its scanner. */
const scannerTexts: readonly (readonly [reason: RegExp, text: string])[] = [
  [/^unexpected end of the stream within a (double|single) quoted scalar/, 'found unexpected end of stream'],
  [/^bad indentation of a mapping entry/, 'mapping values are not allowed in this context'],
  [/^tab characters must not be used in indentation/, 'found character that cannot start any token'],
  [/^directive name must not be less than one character/, 'could not find expected directive name'],
  [/^a line break is expected/, 'did not find expected comment or line break'],
  [/^expected hexadecimal character/, 'did not find expected hexdecimal number'],
];

/**
 * Why a YAML text cannot be read, as go-yaml v2 says it: `yaml: line 2: …`. It counts lines from 0 and names none for the
 * first; its scanner adds one. Faults without a known wording keep that of our reader.
 */
export function goYamlError({ reason, line }: YamlFault, source: string): string {
  if (reason.startsWith('unexpected end of the stream within a flow collection')) {
    return `yaml: line ${source.split('\n').length - (source.endsWith('\n') ? 1 : 0)}: ${openFlowText(source.trimEnd())}`;
  }
  const alias = /^unidentified alias "(.*)"$/.exec(reason);
  if (alias !== null) return `yaml: unknown anchor '${alias[1] ?? ''}' referenced`;
  if (reason.startsWith('unacceptable YAML version')) return 'yaml: found incompatible YAML document';
  const known = scannerTexts.find(([pattern]) => pattern.test(reason));
  if (known !== undefined) return line === undefined || line === 0 ? `yaml: ${known[1]}` : `yaml: line ${line + 1}: ${known[1]}`;
  return line === undefined ? `yaml: ${reason}` : `yaml: line ${line + 1}: ${reason}`;
}

/**
 * The fault of a tab before the first token, which our reader takes for white space and go-yaml for a token of its own;
 * undefined without one.
 */
export function leadingTab(source: string): YamlFault | undefined {
  const before = /^(?: *(?:#[^\n]*)?\r?\n)* *(?=\t)/.exec(source)?.[0];
  return before === undefined ? undefined : { reason: 'tab characters must not be used in indentation', line: before.split('\n').length - 1 };
}

/** What is missing at the end of an open `{` or `[`: its next entry, or what follows one. */
function openFlowText(source: string): string {
  if (/[[{,:]$/.test(source)) return 'did not find expected node content';
  const open: string[] = [];
  for (const char of source) {
    if (char === '{' || char === '[') open.push(char);
    else if (char === '}' || char === ']') open.pop();
  }
  return `did not find expected ',' or '${open.at(-1) === '[' ? ']' : '}'}'`;
}

/** What a document in brackets is made of: texts in quotation marks, comments, words, and colons that begin a word. */
const flowToken = /"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'|#[^\n]*|([^\s,[\]{}"'#:](?:[^,[\]{}\n:]|:(?=\S))*)|[[{,]\s*(:)(?=[^\s,[\]{}])/g;

/**
 * What go-yaml does not take in a document in brackets and our reader does: there a colon between a word and what is not blank
 * is a part of the word, and one that begins a word follows a key.
 */
export function flowFault(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  for (const { 0: token, 1: word, 2: colon, index } of text.matchAll(flowToken)) {
    if (colon !== undefined) return 'yaml: did not find expected node content';
    if (word?.endsWith(':') === true && /^[[{]/.test(text.slice(index + token.length, index + token.length + 1))) return "yaml: did not find expected ',' or '}'";
  }
  return undefined;
}
