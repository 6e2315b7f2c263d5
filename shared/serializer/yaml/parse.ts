import { parseEvents, YAMLException } from 'js-yaml';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { decodeYaml } from './characters.ts';
import { constructDocument } from './construct.ts';
import { checkDepth, depthError, readerDepth, YamlDepthError } from './depth.ts';
import { strictErrorsOf } from './duplicates.ts';
import { goYamlError, leadingTab } from './errors.ts';
import { YamlFailure } from './failure.ts';
import { flowFault } from './flow-errors.ts';
import { indentedFurther } from './indentation.ts';
import { firstDocumentText, prologueFault } from './prologue.ts';
import { scalarFault } from './scalar-faults.ts';

export interface ParsedYaml {
  readonly value: JsonValue;
  /** The strict reader's errors about duplicate keys, as one text (go-yaml's); empty when there are none. */
  readonly strictErrors: string[];
}

/** Limit on the characters of all parses of one text together: some ten milliseconds. */
const maxReadAgain = 256 * 1024;
/** Maximum number of values after aliases are expanded. */
const maxValues = 1_000_000;
/**
 * Maximum number of characters of strings and keys after aliases are expanded: far more than a body without aliases
 * has.
 */
const maxCharacters = 32 * 1024 * 1024;

function wrap(error: unknown, source: string): Error {
  if (error instanceof YAMLException && error.reason.startsWith('nesting exceeded maxDepth'))
    return wrap(depthError(source, error.mark?.position ?? 0, readerDepth), source);
  if (error instanceof YamlDepthError) return new YamlFailure(goYamlError(error, source));
  if (!(error instanceof YAMLException)) return error instanceof Error ? error : new Error(String(error));
  return new YamlFailure(
    goYamlError({ reason: error.reason, line: error.mark?.line, position: error.mark?.position }, source),
  );
}

/**
 * Aliases make one value appear in many places: gives each place a value of its own, within a limit, and refuses values
 * that JSON cannot represent. Keys are sorted, since the reference converts YAML to the JSON of a map: of several
 * errors, that of the first key by name is reported.
 */
class Unfolder {
  #left = maxValues;
  #characters = maxCharacters;

  copy(value: JsonValue): JsonValue {
    this.#left -= 1;
    if (typeof value === 'string') this.#characters -= value.length;
    if (this.#left < 0 || this.#characters < 0) throw new YamlFailure('yaml: document contains excessive aliasing');
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new YamlFailure(`json: unsupported value: ${goInfinity(value)}`);
    // A negative zero becomes zero in JSON.
    if (value === 0) return 0;
    if (Array.isArray(value)) return value.map((item) => this.copy(item));
    if (!isObject(value)) return value;
    const out: JsonObject = {};
    for (const key of Object.keys(value).sort(compareUtf8)) {
      this.#characters -= key.length;
      setKey(out, key, this.copy(getKey(value, key) as JsonValue));
    }
    return out;
  }
}

function goInfinity(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/**
 * The first document of a YAML text as a JSON value; an empty one is null.
 * @throws YamlFailure, or JsonDepthError where only the equivalent JSON is nested too deep
 */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  const whole = decodeYaml(bytes);
  const fault = prologueFault(whole);
  if (fault !== undefined) throw new YamlFailure(fault);
  const text = firstDocumentText(whole);
  const tab = leadingTab(text);
  if (tab !== undefined) throw new YamlFailure(goYamlError(tab, text));
  const misread = flowFault(text);
  if (misread !== undefined) throw new YamlFailure(misread);
  return parseIndented(text);
}

/** Parses a text, and parses it again for each line whose indentation has to be increased, up to a limit. */
function parseIndented(text: string): ParsedYaml {
  let source = text;
  for (let left = maxReadAgain; ; left -= source.length) {
    try {
      return parseText(source);
    } catch (error) {
      const indented = left < source.length ? undefined : indentedFurther(source, error);
      if (indented === undefined) throw wrap(error, source);
      source = indented;
    }
  }
}

function parseText(text: string): ParsedYaml {
  const { source, events } = firstDocument(text);
  checkDepth(source, events);
  const misread = scalarFault(source, events);
  if (misread !== undefined) throw new YamlFailure(misread);
  const { value, duplicates } = constructDocument(source, events);
  return { value: new Unfolder().copy(value), strictErrors: strictErrorsOf(duplicates) };
}

/**
 * The first document and its events. The text after a document in brackets, and text indented less than the beginning
 * of the document, is never read: go-yaml reads one document only.
 */
function firstDocument(text: string): { source: string; events: ReturnType<typeof parseEvents> } {
  try {
    return { source: text, events: parseEvents(text, { maxDepth: readerDepth }) };
  } catch (error) {
    const end = error instanceof YAMLException ? endBefore(error, text) : undefined;
    if (end === undefined || !/^\s*[[{]|^(?:\s*#.*\n|---[ \t]*\n)*\n* +[^\s#]/.test(text)) throw error;
    const source = text.slice(0, end);
    return { source, events: parseEvents(source, { maxDepth: readerDepth }) };
  }
}

/** The end of a document that is followed by other text, such as a colon. */
function endBefore({ reason, mark }: YAMLException, text: string): number | undefined {
  if (mark === undefined) return undefined;
  if (reason === 'end of the stream or a document separator is expected') return mark.position;
  return reason.startsWith('a whitespace character is expected after the key-value separator')
    ? text.lastIndexOf(':', mark.position)
    : undefined;
}
