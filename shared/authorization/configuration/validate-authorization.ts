import {
  duplicate,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import type { CompileCondition } from '#shared/authorization/webhook/condition-fault.ts';
import type { AuthorizationConfiguration, AuthorizerConfiguration } from './authorization-configuration.ts';
import { validateWebhook } from './validate-webhook.ts';

/** The modes of `--authorization-mode`, and the types of authorizers. */
export const authorizerTypes: readonly string[] = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC', 'Webhook'];

/** The name of an authorizer that is no webhook, and so occurs once. */
export function authorizerName(type: string): string {
  return type.toLowerCase();
}

interface Seen {
  readonly types: Set<string>;
  readonly names: Set<string>;
}

/** All errors of a configuration (apiserver/pkg/apis/apiserver/validation). */
export function* validateAuthorization(
  { authorizers }: AuthorizationConfiguration,
  compile: CompileCondition,
): Steps<FieldError[]> {
  const field = path('authorizers');
  if (authorizers.length === 0) return [required(field, 'at least one authorization mode must be defined')];
  const errors: FieldError[] = [];
  const seen = { types: new Set<string>(), names: new Set<string>() };
  for (const [index, authorizer] of authorizers.entries())
    errors.push(...(yield* validateAuthorizer(authorizer, field.index(index), seen, compile)));
  return errors;
}

function* validateAuthorizer(
  authorizer: AuthorizerConfiguration,
  field: Path,
  seen: Seen,
  compile: CompileCondition,
): Steps<FieldError[]> {
  const { type, webhook } = authorizer;
  const wrongType = typeError(type, field.child('type'), seen.types);
  if (wrongType !== undefined) return [wrongType];
  seen.types.add(type);
  const errors = nameErrors(authorizer.name, field.child('name'), seen.names);
  seen.names.add(authorizer.name);
  if (type !== 'Webhook') {
    if (webhook !== undefined)
      errors.push(invalid(field.child('webhook'), 'non-null', 'may only be specified when type=Webhook'));
  } else if (webhook === undefined) errors.push(required(field.child('webhook'), 'required when type=Webhook'));
  else errors.push(...(yield* validateWebhook(webhook, field, compile)));
  return errors;
}

function typeError(type: string, field: Path, seen: ReadonlySet<string>): FieldError | undefined {
  if (type === '') return required(field, '');
  if (!authorizerTypes.includes(type)) return notSupported(field, type, authorizerTypes);
  return type !== 'Webhook' && seen.has(type) ? duplicate(field, type) : undefined;
}

function nameErrors(name: string, field: Path, seen: ReadonlySet<string>): FieldError[] {
  if (name === '') return [required(field, '')];
  if (seen.has(name)) return [duplicate(field, name)];
  const faults = isDNS1123Subdomain(name);
  return faults.length === 0 ? [] : [invalid(field, name, `authorizer name is invalid: ${faults.join(', ')}`)];
}
