import { aggregateMessages, aggregateText, invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { doneWith, inSlices } from '#shared/apimachinery/slices/slices.ts';
import type { CompileCondition } from '#shared/authorization/webhook/condition-fault.ts';
import type { AccessConditions } from '#shared/authorization/webhook/match-conditions.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import {
  decodeAuthorization,
  type AuthorizationConfiguration,
  type AuthorizerConfiguration,
} from './authorization-configuration.ts';
import { authorizerName, validateAuthorization } from './validate-authorization.ts';

/** An authorizer whose match conditions are compiled; undefined where it has none. */
export interface LoadedAuthorizer extends AuthorizerConfiguration {
  readonly conditions?: AccessConditions | undefined;
}

export interface LoadOptions {
  /** Whether the gate AuthorizeWithSelectors is on, so that match conditions may read selectors. */
  readonly readsSelectors: boolean;
  /** Types that must occur: those of the start, but for webhooks. */
  readonly requiredTypes?: ReadonlySet<string>;
}

/**
 * Decodes and validates an AuthorizationConfiguration, and compiles its match conditions
 * (pkg/kubeapiserver/authorizer).
 * @throws ConfigurationError with all causes, in the reference's words
 */
export async function loadAuthorization(
  bytes: Uint8Array,
  { readsSelectors, requiredTypes }: LoadOptions,
): Promise<readonly LoadedAuthorizer[]> {
  const configuration = decodeAuthorization(bytes);
  const { compile, conditions } = await conditionCompiler(configuration, readsSelectors);
  const errors = await inSlices(validateAuthorization(configuration, compile));
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors));
  const faults = [...wrongNames(configuration), ...missingTypes(configuration, requiredTypes)];
  if (faults.length > 0) throw new ConfigurationError(aggregateMessages(faults));
  refuseOwnCluster(configuration);
  return configuration.authorizers.map((authorizer) => ({ ...authorizer, conditions: conditions(authorizer) }));
}

interface Conditions {
  readonly compile: CompileCondition;
  readonly conditions: (authorizer: AuthorizerConfiguration) => AccessConditions | undefined;
}

/** CEL is loaded where there is a condition: few servers have one. */
async function conditionCompiler(
  { authorizers }: AuthorizationConfiguration,
  readsSelectors: boolean,
): Promise<Conditions> {
  if (authorizers.every(({ webhook }) => (webhook?.matchConditions ?? []).length === 0))
    return { compile: () => doneWith(undefined), conditions: () => undefined };
  const { AuthorizationConditions } = await import('#shared/authorization/webhook/match-conditions.ts');
  const compiler = new AuthorizationConditions(readsSelectors);
  return {
    compile: (text) => compiler.compile(text),
    conditions({ webhook }) {
      const texts = webhook?.matchConditions ?? [];
      return texts.length === 0 ? undefined : compiler.conditions(texts);
    },
  };
}

/** Authorizers that are no webhooks have the names that they have without a file. */
function wrongNames({ authorizers }: AuthorizationConfiguration): string[] {
  return authorizers.flatMap(({ type, name }) => {
    const wanted = authorizerName(type);
    return type === 'Webhook' || name === wanted
      ? []
      : [`expected name ${wanted} for authorizer ${type} instead of ${name}`];
  });
}

function missingTypes(
  { authorizers }: AuthorizationConfiguration,
  required: ReadonlySet<string> | undefined,
): string[] {
  const present = new Set(authorizers.map(({ type }) => type));
  const missing = [...(required ?? [])].filter((type) => !present.has(type)).toSorted();
  return missing.length === 0 ? [] : [`missing required types: [${missing.join(' ')}]`];
}

/** A server cannot ask its own cluster. The reference ends with a panic here. */
function refuseOwnCluster({ authorizers }: AuthorizationConfiguration): void {
  const field = path('authorizers');
  const errors = authorizers.flatMap(({ webhook }, index) =>
    webhook?.connectionInfo.type === 'InClusterConfig'
      ? [
          invalid(
            field.index(index).child('connectionInfo', 'type'),
            'InClusterConfig',
            'is not allowed for kube-apiserver, use KubeConfigFile',
          ),
        ]
      : [],
  );
  if (errors.length > 0) throw new ConfigurationError(aggregateText(errors));
}
