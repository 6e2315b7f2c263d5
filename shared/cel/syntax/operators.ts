import type { TokenKind } from './tokens.ts';

/** The function names of the operators, grouped by precedence. */
export const relations = new Map<TokenKind, string>([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);
export const sums = new Map<TokenKind, string>([
  ['+', '_+_'],
  ['-', '_-_'],
]);
export const products = new Map<TokenKind, string>([
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);
