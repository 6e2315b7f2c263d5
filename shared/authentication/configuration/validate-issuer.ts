import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import { duplicate, invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseReference, UrlError, type Url } from '#shared/cel/libraries/url/parse.ts';
import { parseCertificate } from '#shared/x509/certificate.ts';
import { DerError } from '#shared/x509/der.ts';
import { pemBlocks } from '#shared/x509/pem.ts';
import type { Issuer } from './authentication-configuration.ts';

export interface IssuerRules {
  /** Issuers of service-account tokens, whose tokens must not be taken for those of a provider. */
  readonly disallowedIssuers: readonly string[];
  /** Whether the gate StructuredAuthenticationConfigurationEgressSelector is on. */
  readonly hasEgress: boolean;
}

/** Errors of an issuer (apiserver/pkg/apis/apiserver/validation, validateIssuer). */
export function validateIssuer(
  issuer: Issuer,
  field: Path,
  { disallowedIssuers, hasEgress }: IssuerRules,
): FieldError[] {
  const urlField = field.child('url');
  return [
    ...(issuer.url === '' ? [required(urlField, '')] : validateUrl(issuer.url, urlField, disallowedIssuers)),
    ...validateDiscoveryUrl(issuer, field.child('discoveryURL')),
    ...validateAudiences(issuer, field),
    ...validateCertificateAuthority(issuer.certificateAuthority, field.child('certificateAuthority')),
    ...validateEgress(issuer.egressSelectorType, field.child('egressSelectorType'), hasEgress),
  ];
}

function validateDiscoveryUrl({ url, discoveryUrl }: Issuer, field: Path): FieldError[] {
  if (discoveryUrl === '') return [];
  const isSame = url !== '' && withoutSlashes(url) === withoutSlashes(discoveryUrl);
  return [
    ...(isSame ? [invalid(field, discoveryUrl, 'discoveryURL must be different from URL')] : []),
    ...validateUrl(discoveryUrl, field, []),
  ];
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

function validateUrl(text: string, field: Path, disallowed: readonly string[]): FieldError[] {
  const errors = disallowed.includes(text)
    ? [invalid(field, text, `URL must not overlap with disallowed issuers: ${listText(disallowed)}`)]
    : [];
  let url: Url;
  try {
    url = atOnce(parseReference(text));
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return [...errors, invalid(field, text, error.message)];
  }
  const refuse = (isWrong: boolean, detail: string): void => {
    if (isWrong) errors.push(invalid(field, text, detail));
  };
  refuse(url.scheme !== 'https', 'URL scheme must be https');
  refuse(url.user !== undefined, 'URL must not contain a username or password');
  refuse((url.query ?? '') !== '', 'URL must not contain a query');
  refuse(url.rawFragment !== '', 'URL must not contain a fragment');
  return errors;
}

/** A list of distinct texts as Go prints it. */
function listText(texts: readonly string[]): string {
  return `[${[...new Set(texts)].toSorted().join(' ')}]`;
}

const matchAny = 'MatchAny';

function validateAudiences({ audiences, audienceMatchPolicy: policy }: Issuer, field: Path): FieldError[] {
  const audiencesField = field.child('audiences');
  if (audiences.length === 0) return [required(audiencesField, `at least one ${String(audiencesField)} is required`)];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, audience] of audiences.entries()) {
    const item = audiencesField.index(index);
    if (audience === '') errors.push(required(item, ''));
    if (seen.has(audience)) errors.push(duplicate(item, audience));
    seen.add(audience);
  }
  const allowed = audiences.length > 1 ? [matchAny] : ['', matchAny];
  if (!allowed.includes(policy))
    errors.push(
      invalid(
        field.child('audienceMatchPolicy'),
        textOfNamedType(policy),
        audiences.length > 1
          ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
          : 'audienceMatchPolicy must be empty or MatchAny for single audience',
      ),
    );
  return errors;
}

/** Why a text holds no certificate authorities, in the words of client-go (util/cert); undefined if it holds some. */
export function authoritiesFault(pem: string): string | undefined {
  const blocks = [...pemBlocks(pem)].filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
  if (blocks.length === 0) return 'data does not contain any valid RSA or ECDSA certificates';
  for (const { bytes } of blocks) {
    try {
      parseCertificate(bytes);
    } catch (error) {
      if (!(error instanceof DerError)) throw error;
      return error.message;
    }
  }
  return undefined;
}

function validateCertificateAuthority(pem: string, field: Path): FieldError[] {
  const fault = pem === '' ? undefined : authoritiesFault(pem);
  return fault === undefined ? [] : [invalid(field, '<omitted>', fault)];
}

function validateEgress(type: string, field: Path, hasEgress: boolean): FieldError[] {
  if (type === '') return [];
  const value = textOfNamedType(type);
  return [
    ...(hasEgress
      ? []
      : [
          invalid(
            field,
            value,
            'egress selector is not supported when StructuredAuthenticationConfigurationEgressSelector feature gate is disabled',
          ),
        ]),
    ...(type === 'controlplane' || type === 'cluster'
      ? []
      : [invalid(field, value, 'egress selector must be either controlplane or cluster')]),
  ];
}
