import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import { forbidden, invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

// Windows options of pods and containers (pkg/apis/core/validation).

const maxSpecKiB = 64;
const maxDomainLength = 256;
const maxUserLength = 104;
// oxlint-disable-next-line no-control-regex -- the expression is meant to find control characters
const controlCharacters = /[\u0000-\u001f\u007f]/;
const netBiosName = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainName = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/;

export function validateWindowsOptions(options: JsonObject | undefined, field: Path): FieldError[] {
  const [specName, spec, user] = ['gmsaCredentialSpecName', 'gmsaCredentialSpec', 'runAsUserName'].map((name) =>
    getKey(options, name),
  );
  const at = field.child('gmsaCredentialSpec');
  return [
    ...(typeof specName === 'string'
      ? messages(isDNS1123Subdomain(specName), field.child('gmsaCredentialSpecName'), textOfNamedType(specName))
      : []),
    ...(spec === '' ? [invalid(at, spec, 'gmsaCredentialSpec cannot be an empty string')] : []),
    ...(typeof spec === 'string' && Buffer.byteLength(spec) > maxSpecKiB * 1024
      ? [invalid(at, textOfNamedType(spec), `gmsaCredentialSpec size must be under ${maxSpecKiB} KiB`)]
      : []),
    ...(typeof user === 'string'
      ? userErrors(user).map((text) => invalid(field.child('runAsUserName'), textOfNamedType(user), text))
      : []),
  ];
}

/** `DOMAIN\USER` or `USER`. */
function userErrors(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacters.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const length = Buffer.byteLength(user);
  return [
    ...(Buffer.byteLength(domain ?? '') >= maxDomainLength
      ? [`runAsUserName's Domain length must be under ${maxDomainLength} characters`]
      : []),
    ...(domain === undefined || netBiosName.test(domain) || domainName.test(domain)
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
    ...(length === 0
      ? ["runAsUserName's User cannot be empty"]
      : length > maxUserLength
        ? [`runAsUserName's User length must not be longer than ${maxUserLength} characters`]
        : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ];
}

/** Validates `hostProcess`: either all containers of a pod are host processes, or none. */
export function validateHostProcesses(spec: JsonObject, allowPrivileged: boolean, field: Path): FieldError[] {
  const ofPod = booleanAt(spec, 'securityContext', 'windowsOptions', 'hostProcess');
  const errors: FieldError[] = [];
  let [containers, processes] = [0, 0];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const [index, container] of objectsAt(spec, list).entries()) {
      const own = booleanAt(objectAt(container, 'securityContext'), 'windowsOptions', 'hostProcess');
      containers += 1;
      if (own ?? ofPod ?? false) processes += 1;
      if (own === undefined || ofPod === undefined || own === ofPod) continue;
      errors.push(
        invalid(
          field.child(list).index(index).child('securityContext', 'windowsOptions', 'hostProcess'),
          own,
          `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`,
        ),
      );
    }
  }
  if (processes === 0) return errors;
  return [
    ...errors,
    ...(processes === containers
      ? []
      : [
          invalid(
            field,
            '',
            'If pod contains any hostProcess containers then all containers must be HostProcess containers',
          ),
        ]),
    ...(booleanAt(spec, 'hostNetwork') === true
      ? []
      : [
          invalid(
            field.child('hostNetwork'),
            false,
            'hostNetwork must be true if pod contains any hostProcess containers',
          ),
        ]),
    ...(allowPrivileged ? [] : [forbidden(field, 'hostProcess containers are disallowed by cluster policy')]),
  ];
}
