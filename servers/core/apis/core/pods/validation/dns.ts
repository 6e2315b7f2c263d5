import { validateLegacyAddress } from '#servers/core/validation/ip-address.ts';
import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain, isDNS1123SubdomainWithUnderscore } from '#shared/apimachinery/validation/names.ts';
import type { PodRules } from './pod-rules.ts';

const maxNameservers = 3;
const maxSearches = 32;
/** Maximum length of all search paths together, including the spaces between them. */
const maxSearchCharacters = 2048;

/** Validates `dnsConfig` of a pod. `relaxedSearches`: search paths may have underscores or be `.` (KEP-4427). */
export function validateDnsConfig(
  config: JsonObject | undefined,
  policy: string,
  { relaxedSearches, gates }: Pick<PodRules, 'relaxedSearches' | 'gates'>,
  field: Path,
): FieldError[] {
  const [servers, searches] = [[...stringsAt(config, 'nameservers')], [...stringsAt(config, 'searches')]];
  if (policy === 'None') {
    if (!config) return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (servers.length === 0)
      return [
        required(field.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
      ];
  }
  const errors: FieldError[] = [];
  if (servers.length > maxNameservers)
    errors.push(invalid(field.child('nameservers'), servers, `must not have more than ${maxNameservers} nameservers`));
  errors.push(
    ...servers.flatMap((server, index) =>
      validateLegacyAddress(server, gates, field.child('nameservers').index(index)),
    ),
  );
  if (searches.length > maxSearches)
    errors.push(invalid(field.child('searches'), searches, `must not have more than ${maxSearches} search paths`));
  if (searches.join(' ').length > maxSearchCharacters) {
    errors.push(
      invalid(
        field.child('searches'),
        searches,
        `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`,
      ),
    );
  }
  for (const [index, search] of searches.entries()) {
    const name = search.replace(/\.$/, '');
    if (search === '.' && relaxedSearches) continue;
    errors.push(
      ...messages(
        relaxedSearches ? isDNS1123SubdomainWithUnderscore(name) : isDNS1123Subdomain(name),
        field.child('searches').index(index),
        name,
      ),
    );
  }
  return [
    ...errors,
    ...objectsAt(config, 'options').flatMap((option, index) =>
      stringAt(option, 'name') === '' ? [required(field.child('options').index(index), 'must not be empty')] : [],
    ),
  ];
}
