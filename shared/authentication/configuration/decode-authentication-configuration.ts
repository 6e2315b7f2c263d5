import type { FieldEntry } from '#shared/api/gen-format.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { serverKinds } from '#shared/configuration/server-kinds.ts';
import type {
  AnonymousConfiguration,
  AuthenticationConfiguration,
  ClaimMappings,
  ClaimOrExpression,
  Issuer,
  JwtAuthenticatorConfiguration,
  PrefixedClaimOrExpression,
} from './authentication-configuration.ts';

const kind = 'AuthenticationConfiguration';

const text = (name: string, flags = 'e'): FieldEntry => [name, 0, 'string', flags];

/** All versions have the same fields (apiserver/pkg/apis/apiserver/{v1,v1beta1,v1alpha1}). */
const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: serverKinds(kind),
  expected: kind,
  types: {
    AuthenticationConfiguration: [
      ['jwt', 0, '[]#JWTAuthenticator', '', { g: 'JWT' }],
      ['anonymous', 0, '#AnonymousAuthConfig', 'pe'],
    ],
    AnonymousAuthConfig: [
      ['enabled', 0, 'bool', ''],
      ['conditions', 0, '[]#AnonymousAuthCondition', 'e'],
    ],
    AnonymousAuthCondition: [text('path', '')],
    JWTAuthenticator: [
      ['issuer', 0, '#Issuer', ''],
      ['claimValidationRules', 0, '[]#ClaimValidationRule', 'e'],
      ['claimMappings', 0, '#ClaimMappings', ''],
      ['userValidationRules', 0, '[]#UserValidationRule', 'e'],
    ],
    Issuer: [
      ['url', 0, 'string', '', { g: 'URL' }],
      ['discoveryURL', 0, 'string', 'pe'],
      text('certificateAuthority'),
      ['audiences', 0, '[]string', ''],
      ['audienceMatchPolicy', 0, 'string', 'e', { t: 'AudienceMatchPolicyType' }],
      ['egressSelectorType', 0, 'string', 'e', { t: 'EgressSelectorType' }],
    ],
    ClaimValidationRule: ['claim', 'requiredValue', 'expression', 'message'].map((name) => text(name)),
    ClaimMappings: [
      ['username', 0, '#PrefixedClaimOrExpression', ''],
      ['groups', 0, '#PrefixedClaimOrExpression', 'e'],
      ['uid', 0, '#ClaimOrExpression', '', { g: 'UID' }],
      ['extra', 0, '[]#ExtraMapping', 'e'],
    ],
    PrefixedClaimOrExpression: [text('claim'), text('prefix', 'pe'), text('expression')],
    ClaimOrExpression: [text('claim'), text('expression')],
    ExtraMapping: [text('key', ''), text('valueExpression', '')],
    UserValidationRule: [text('expression', ''), text('message')],
  },
};

/**
 * The configuration of a file, JSON or YAML, which is not validated yet.
 * @throws ConfigurationError
 */
export function decodeAuthenticationConfiguration(bytes: Uint8Array): AuthenticationConfiguration {
  if (bytes.length === 0) throw new ConfigurationError('empty config data');
  const file = decodeConfiguration(scheme, bytes);
  const anonymous = objectAt(file, 'anonymous');
  return {
    jwt: objectsAt(file, 'jwt').map(authenticatorOf),
    ...(anonymous !== undefined && { anonymous: anonymousOf(anonymous) }),
  };
}

function anonymousOf(anonymous: JsonValue): AnonymousConfiguration {
  return {
    enabled: isObject(anonymous) && anonymous['enabled'] === true,
    conditions: objectsAt(anonymous, 'conditions').map((condition) => ({ path: stringAt(condition, 'path') })),
  };
}

function authenticatorOf(authenticator: JsonValue): JwtAuthenticatorConfiguration {
  return {
    issuer: issuerOf(objectAt(authenticator, 'issuer')),
    claimValidationRules: objectsAt(authenticator, 'claimValidationRules').map((rule) => ({
      ...claimOrExpression(rule),
      requiredValue: stringAt(rule, 'requiredValue'),
      message: stringAt(rule, 'message'),
    })),
    claimMappings: mappingsOf(objectAt(authenticator, 'claimMappings')),
    userValidationRules: objectsAt(authenticator, 'userValidationRules').map((rule) => ({
      expression: stringAt(rule, 'expression'),
      message: stringAt(rule, 'message'),
    })),
  };
}

function issuerOf(issuer: JsonValue | undefined): Issuer {
  return {
    url: stringAt(issuer, 'url'),
    discoveryUrl: stringAt(issuer, 'discoveryURL'),
    certificateAuthority: stringAt(issuer, 'certificateAuthority'),
    audiences: stringsAt(issuer, 'audiences'),
    audienceMatchPolicy: stringAt(issuer, 'audienceMatchPolicy'),
    egressSelectorType: stringAt(issuer, 'egressSelectorType'),
  };
}

function mappingsOf(mappings: JsonValue | undefined): ClaimMappings {
  return {
    username: prefixedClaim(objectAt(mappings, 'username')),
    groups: prefixedClaim(objectAt(mappings, 'groups')),
    uid: claimOrExpression(objectAt(mappings, 'uid')),
    extra: objectsAt(mappings, 'extra').map((mapping) => ({
      key: stringAt(mapping, 'key'),
      valueExpression: stringAt(mapping, 'valueExpression'),
    })),
  };
}

function claimOrExpression(value: JsonValue | undefined): ClaimOrExpression {
  return { claim: stringAt(value, 'claim'), expression: stringAt(value, 'expression') };
}

function prefixedClaim(value: JsonValue | undefined): PrefixedClaimOrExpression {
  const prefix = isObject(value) ? value['prefix'] : undefined;
  return { ...claimOrExpression(value), prefix: typeof prefix === 'string' ? prefix : undefined };
}
