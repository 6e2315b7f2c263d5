import { isBase64, isDate, isDateTime, isUuid } from '#shared/apimachinery/text/string-formats.ts';
import {
  isLabelValue,
  isQualifiedName,
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
} from '#shared/apimachinery/validation/names.ts';
import { scaleBounds } from '#shared/cel/contract/estimate.ts';
import type { FunctionDeclaration } from '#shared/cel/contract/function-declaration.ts';
import type { Library } from '#shared/cel/contract/library.ts';
import {
  costOfCharacter,
  costOfRegexCharacter,
  costsOne,
  estimatesOne,
  traversalBounds,
} from '#shared/cel/libraries/sizes.ts';
import { requestUriError } from '#shared/cel/libraries/url/url.ts';
import { CelObject } from '#shared/cel/values/cel-type.ts';
import { listType, objectType, optionalType, stringType, type CelType } from '#shared/cel/values/cel-type.ts';
import { ArrayList } from '#shared/cel/values/list.ts';
import { costSize } from '#shared/cel/values/sizes.ts';
import { CelError, CelOptional, type Value } from '#shared/cel/values/value.ts';

const formatLibraryType = objectType('kubernetes.NamedFormat');

/** A named format of strings. */
export class CelFormat extends CelObject {
  readonly name: string;
  /** The length of an equivalent regular expression, from which the cost of a check is computed. */
  readonly patternLength: number;
  /** Returns the errors of a text; empty if the text has the format. */
  readonly check: (text: string) => readonly string[];

  constructor(name: string, patternLength: number, check: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.patternLength = patternLength;
    this.check = check;
  }

  get type(): CelType {
    return formatLibraryType;
  }

  override equals(other: unknown): boolean | CelError {
    return other instanceof CelFormat ? this.name === other.name : new CelError('no such overload');
  }
}

const unless =
  (holds: (text: string) => boolean, message: string) =>
  (text: string): readonly string[] =>
    holds(text) ? [] : [message];

const formats: ReadonlyMap<string, CelFormat> = new Map([
  ['dns1123Label', new CelFormat('DNS1123Label', 30, (text) => nameIsDNSLabel(text, false))],
  ['dns1123Subdomain', new CelFormat('DNS1123Subdomain', 60, (text) => nameIsDNSSubdomain(text, false))],
  ['dns1035Label', new CelFormat('DNS1035Label', 30, (text) => nameIsDNS1035Label(text, false))],
  ['qualifiedName', new CelFormat('QualifiedName', 60, isQualifiedName)],
  ['dns1123LabelPrefix', new CelFormat('DNS1123LabelPrefix', 30, (text) => nameIsDNSLabel(text, true))],
  ['dns1123SubdomainPrefix', new CelFormat('DNS1123SubdomainPrefix', 60, (text) => nameIsDNSSubdomain(text, true))],
  ['dns1035LabelPrefix', new CelFormat('DNS1035LabelPrefix', 30, (text) => nameIsDNS1035Label(text, true))],
  ['labelValue', new CelFormat('LabelValue', 40, isLabelValue)],
  ['uri', new CelFormat('URI', 1103, uriErrors)],
  ['uuid', new CelFormat('uuid', 70, unless(isUuid, 'does not match the UUID format'))],
  ['byte', new CelFormat('byte', 84, unless(isBase64, 'invalid base64'))],
  ['date', new CelFormat('date', 71, unless(isDate, 'invalid date'))],
  ['datetime', new CelFormat('datetime', 71, unless(isDateTime, 'invalid datetime'))],
]);

function uriErrors(text: string): readonly string[] {
  const error = requestUriError(text);
  return error === undefined ? [] : [error];
}

/** The pattern length that the static estimate assumes as the maximum. */
const longestPattern = 128;

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'validate',
    overloads: [
      {
        id: 'format-validate',
        member: true,
        parameters: [formatLibraryType, stringType],
        result: optionalType(listType(stringType)),
        implementation: validate,
        cost: ([format, text]) =>
          Math.ceil((1 + costSize(text ?? null)) * costOfCharacter) *
          Math.ceil((format instanceof CelFormat ? format.patternLength : 0) * costOfRegexCharacter),
        estimate: (context, _, [text]) =>
          text === undefined
            ? undefined
            : { cost: scaleBounds(traversalBounds(context, text), longestPattern * costOfRegexCharacter) },
      },
    ],
  },
  {
    name: 'format.named',
    cost: costsOne,
    estimate: estimatesOne,
    overloads: [
      { id: 'format-named', parameters: [stringType], result: optionalType(formatLibraryType), implementation: named },
    ],
  },
  ...Array.from(formats, ([name, format]): FunctionDeclaration => ({
    name: `format.${name}`,
    overloads: [{ id: `format.${name}`, parameters: [], result: formatLibraryType, implementation: () => format }],
  })),
];

function validate(format: CelFormat, text: string): Value {
  const errors = format.check(text);
  return errors.length === 0 ? CelOptional.none : new CelOptional(new ArrayList(errors));
}

function named(name: string): Value {
  const format = formats.get(name);
  return format === undefined ? CelOptional.none : new CelOptional(format);
}

export const formatLibrary: Library = { name: 'kubernetes.format', types: [formatLibraryType], functions };
