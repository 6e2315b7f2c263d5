import { duplicate, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { validateDomainPrefixedPath } from '#shared/apimachinery/validation/domain-prefixed-path.ts';
import type { MappingCompiler } from '#shared/cel/uses/authentication.ts';
import { ExpressionError, type CompiledExpression } from '#shared/cel/uses/compile-expression.ts';
import { expressionErrors } from '#shared/cel/uses/expression-errors.ts';
import type {
  ClaimMappings,
  ClaimOrExpression,
  ClaimValidationRule,
  PrefixedClaimOrExpression,
  UserValidationRule,
} from './authentication-configuration.ts';
import { selectsClaim } from './email-claims.ts';

/** A compiled expression with what it is for: the key of an extra attribute, or the message of a rule. */
export interface LabelledExpression extends CompiledExpression {
  readonly label: string;
}

/** The compiled expressions of an issuer. */
export interface ClaimExpressions {
  username: CompiledExpression | undefined;
  groups: CompiledExpression | undefined;
  uid: CompiledExpression | undefined;
  readonly extra: LabelledExpression[];
  readonly claimRules: LabelledExpression[];
  readonly userRules: LabelledExpression[];
}

/**
 * Compiles and validates the expressions of one issuer, and collects all errors
 * (apiserver/pkg/apis/apiserver/validation).
 */
export class ClaimValidation {
  readonly errors: FieldError[] = [];
  readonly expressions: ClaimExpressions = {
    username: undefined,
    groups: undefined,
    uid: undefined,
    extra: [],
    claimRules: [],
    userRules: [],
  };
  readonly #compiler: MappingCompiler;

  constructor(compiler: MappingCompiler) {
    this.#compiler = compiler;
  }

  claimRules(rules: readonly ClaimValidationRule[], field: Path): void {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    for (const [index, rule] of rules.entries()) {
      const item = field.index(index);
      const { claim, expression, requiredValue, message } = rule;
      if (claim !== '' && expression !== '') this.#refuse(item, claim, bothSet);
      else if (claim !== '') {
        if (message !== '') this.#refuse(item.child('message'), message, 'may not be specified when claim is set');
        this.#addNew(claims, claim, item.child('claim'));
      } else if (expression === '') this.errors.push(required(item, eitherNeeded));
      else {
        if (requiredValue !== '')
          this.#refuse(item.child('requiredValue'), requiredValue, 'may not be specified when expression is set');
        const expressionField = item.child('expression');
        if (!this.#addNew(expressions, expression, expressionField)) continue;
        const compiled = this.#compileClaims(expression, 'bool', expressionField);
        if (compiled !== undefined) this.expressions.claimRules.push({ ...compiled, label: message });
      }
    }
  }

  mappings({ username, groups, uid, extra }: ClaimMappings, field: Path): void {
    const usernameField = field.child('username');
    if (username.claim === '' && username.expression === '') this.errors.push(required(usernameField, eitherNeeded));
    this.expressions.username = this.#prefixed(username, usernameField);
    this.expressions.groups = this.#prefixed(groups, field.child('groups'));
    this.expressions.uid = this.#uid(uid, field.child('uid'));
    this.#extra(extra, field.child('extra'));
    this.#requireVerifiedEmail(username.expression, usernameField.child('expression'));
  }

  userRules(rules: readonly UserValidationRule[], field: Path): void {
    const seen = new Set<string>();
    for (const [index, { expression, message }] of rules.entries()) {
      const item = field.index(index).child('expression');
      if (expression === '') this.errors.push(required(item, ''));
      else if (this.#addNew(seen, expression, item)) {
        const compiled = this.#kept(item, expression, this.#compiler.compileUser(expression, 'bool'));
        if (compiled !== undefined) this.expressions.userRules.push({ ...compiled, label: message });
      }
    }
  }

  #prefixed({ claim, expression, prefix }: PrefixedClaimOrExpression, field: Path): CompiledExpression | undefined {
    if (claim !== '' && expression !== '') return this.#refuse(field, '', bothSet);
    if (claim !== '' && prefix === undefined)
      this.errors.push(
        required(
          field.child('prefix'),
          'prefix is required when claim is set. It can be set to an empty string to disable prefixing',
        ),
      );
    if (expression === '') return undefined;
    if (prefix !== undefined)
      this.#refuse(field.child('prefix'), prefix, 'may not be specified when expression is set');
    const compiled = this.#compileClaims(expression, 'any', field.child('expression'));
    return prefix === undefined ? compiled : undefined;
  }

  #uid({ claim, expression }: ClaimOrExpression, field: Path): CompiledExpression | undefined {
    if (claim !== '' && expression !== '') return this.#refuse(field, '', bothSet);
    return expression === '' ? undefined : this.#compileClaims(expression, 'any', field.child('expression'));
  }

  #extra(mappings: ClaimMappings['extra'], field: Path): void {
    const keys = new Set<string>();
    for (const [index, { key, valueExpression }] of mappings.entries()) {
      const item = field.index(index);
      const keyField = item.child('key');
      this.errors.push(...validateDomainPrefixedPath(key, keyField));
      if (key !== key.toLowerCase()) this.#refuse(keyField, key, 'must be lowercase');
      if (isReserved(key))
        this.#refuse(keyField, key, 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use');
      if (!this.#addNew(keys, key, keyField)) continue;
      const valueField = item.child('valueExpression');
      if (valueExpression === '') this.errors.push(required(valueField, ''));
      else {
        const compiled = this.#compileClaims(valueExpression, 'any', valueField);
        if (compiled !== undefined) this.expressions.extra.push({ ...compiled, label: key });
      }
    }
  }

  /** An address that the provider has not verified may be anybody's. */
  #requireVerifiedEmail(text: string, field: Path): void {
    const { username, extra, claimRules } = this.expressions;
    if (username === undefined || !selectsClaim(username, 'email')) return;
    if ([username, ...extra, ...claimRules].some((expression) => selectsClaim(expression, 'email_verified'))) return;
    this.#refuse(
      field,
      text,
      'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
    );
  }

  #compileClaims(text: string, returns: 'bool' | 'any', field: Path): CompiledExpression | undefined {
    return this.#kept(field, text, this.#compiler.compileClaims(text, returns));
  }

  #kept(field: Path, text: string, compiled: CompiledExpression | ExpressionError): CompiledExpression | undefined {
    if (!(compiled instanceof ExpressionError)) return compiled;
    this.errors.push(...expressionErrors(field, text, compiled));
    return undefined;
  }

  #refuse(field: Path, value: string, detail: string): undefined {
    this.errors.push(invalid(field, value, detail));
  }

  /** False, with an error, if the text was seen before. */
  #addNew(seen: Set<string>, text: string, field: Path): boolean {
    if (seen.has(text)) this.errors.push(duplicate(field, text));
    else return seen.add(text).has(text);
    return false;
  }
}

const bothSet = "claim and expression can't both be set";
const eitherNeeded = 'claim or expression is required';

/** Whether a key belongs to Kubernetes itself. */
function isReserved(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = key.slice(0, Math.max(slash, 0));
  return ['kubernetes.io', 'k8s.io'].some((own) => domain === own || domain.endsWith(`.${own}`));
}
