import {
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import type { GroupResources, AuditRule, AuditRules } from './audit-rules.ts';

const levels = ['None', 'Metadata', 'Request', 'RequestResponse'];
const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** All errors of a policy, in the reference's order and words (apiserver/pkg/apis/audit/validation). */
export function validatePolicy({ omitStages, rules }: AuditRules): FieldError[] {
  const field = path('rules');
  return [
    ...stageErrors(omitStages, path('omitStages')),
    ...rules.flatMap((rule, index) => ruleErrors(rule, field.index(index))),
  ];
}

function ruleErrors(rule: AuditRule, field: Path): FieldError[] {
  const { level, nonResourceUrls, resources, namespaces, omitStages } = rule;
  const urlsField = field.child('nonResourceURLs');
  const isOfBoth = nonResourceUrls.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelErrors(level, field.child('level')),
    ...nonResourceUrls.flatMap((url, index) => urlErrors(url, urlsField.index(index))),
    ...resources.flatMap((entry) => resourceErrors(entry, field.child('resources'))),
    ...stageErrors(omitStages, field.child('omitStages')),
    ...(isOfBoth
      ? [invalid(urlsField, [...nonResourceUrls], 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function levelErrors(level: string, field: Path): FieldError[] {
  if (levels.includes(level)) return [];
  return [level === '' ? required(field, '') : notSupported(field, level, levels)];
}

function urlErrors(url: string, field: Path): FieldError[] {
  if (url === '*') return [];
  const errors = url.startsWith('/')
    ? []
    : [invalid(field, url, "non-resource URL rules must begin with a '/' character")];
  return url.slice(0, -1).includes('*')
    ? [...errors, invalid(field, url, "non-resource URL wildcards '*' must be the final character of the rule")]
    : errors;
}

function resourceErrors({ group, resources, resourceNames }: GroupResources, field: Path): FieldError[] {
  const messages = group === '' || group === '*' ? [] : isDNS1123Subdomain(group);
  return [
    ...(messages.length === 0 ? [] : [invalid(field.child('group'), group, messages.join(','))]),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [
          invalid(
            field.child('resourceNames'),
            [...resourceNames],
            'using resourceNames requires at least one resource',
          ),
        ]
      : []),
  ];
}

function stageErrors(omitted: readonly string[], field: Path): FieldError[] {
  return omitted.flatMap((stage, index) =>
    stages.includes(stage) ? [] : [invalid(field.index(index), stage, `allowed stages are ${stages.join(',')}`)],
  );
}
