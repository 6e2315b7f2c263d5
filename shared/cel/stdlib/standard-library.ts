import type { Library } from '#shared/cel/contract/library.ts';
import { standardMacros } from '#shared/cel/syntax/standard-macros.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeOfType,
  typeParameter,
  typeType,
  uintType,
} from '#shared/cel/values/cel-type.ts';
import { conversionFunctions } from './conversion-functions.ts';
import { operators } from './operators.ts';
import { textFunctions } from './text-functions.ts';
import { timeFunctions } from './time-functions.ts';

const types = [
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType(typeParameter('A')),
  mapType(typeParameter('A'), typeParameter('B')),
  nullType,
  stringType,
  timestampType,
  typeType,
  uintType,
];

/** The standard library: operators, conversions, and the functions and macros that every environment has. */
export const standardLibrary: Library = {
  name: 'cel.lib.std',
  functions: [...operators, ...conversionFunctions, ...textFunctions, ...timeFunctions],
  macros: standardMacros,
  variables: types.map((type) => ({ name: type.name, type: typeOfType(type), value: type })),
};
