import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { Environment } from '#shared/cel/check/environment.ts';
import type { EnvironmentPair } from '#shared/cel/environment/base-environment.ts';
import { anyType, boolType, listType, mapType, objectType, stringType } from '#shared/cel/values/cel-type.ts';
import { compileExpression, type CompiledExpression, type ExpressionError } from './compile-expression.ts';
import { ObjectTypes } from './object-types.ts';

const strings = listType(stringType);
const userTypes = new ObjectTypes([
  {
    name: 'kubernetes.UserInfo',
    fields: { username: stringType, uid: stringType, groups: strings, extra: mapType(stringType, strings) },
  },
]);

/**
 * Compiles the expressions of authentication configurations (k8s.io/apiserver/pkg/authentication/cel). They come from
 * files on this server, so they may use every function that the server knows.
 */
export class MappingCompiler {
  readonly #ofClaims: Environment;
  readonly #ofUser: Environment;

  constructor({ forStored }: EnvironmentPair) {
    this.#ofClaims = forStored.extend({ variables: [{ name: 'claims', type: mapType(stringType, anyType) }] });
    this.#ofUser = forStored.extend({
      variables: [{ name: 'user', type: objectType('kubernetes.UserInfo') }],
      providers: [userTypes],
    });
  }

  /**
   * Compiles an expression over `claims`. Its result is a bool (validation rules), or anything (mappings, whose results
   * are checked at evaluation).
   */
  compileClaims(text: string, returns: 'bool' | 'any'): CompiledExpression | ExpressionError {
    return compile(this.#ofClaims, text, returns);
  }

  /** Compiles an expression over `user`. */
  compileUser(text: string, returns: 'bool' | 'any'): CompiledExpression | ExpressionError {
    return compile(this.#ofUser, text, returns);
  }
}

function compile(
  environment: Environment,
  text: string,
  returns: 'bool' | 'any',
): CompiledExpression | ExpressionError {
  return atOnce(
    compileExpression(environment, text, (type) =>
      returns === 'any' || (type.kind === boolType.kind && !type.nullable) ? undefined : 'must evaluate to bool',
    ),
  );
}
