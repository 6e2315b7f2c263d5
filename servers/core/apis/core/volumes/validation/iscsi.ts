import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, numberAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isInRange } from '#shared/apimachinery/validation/names.ts';

/** By the beginning of the name; the first one need not be the whole name. */
const formats: ReadonlyMap<string, RegExp> = new Map([
  ['iqn', /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\t\n\f\r ]+$/],
  ['eui', /^eui[^\n][A-Za-z0-9]{16}$/u],
  ['naa', /^naa[^\n][A-Za-z0-9]{32}$/u],
]);
/** Bytes of a volume's name, a colon and the portal, where the initiator has a name. */
const maxInterfaceBytes = 64;
const wrong = 'must be valid format';

/** iSCSI in a pod (pkg/apis/core/validation, validateISCSIVolumeSource). */
export function validatePodIscsi(source: JsonObject, field: Path): FieldError[] {
  const otherBeginning = `${wrong} starting with iqn, eui, or naa`;
  return [
    ...needsPortal(source, field),
    ...validateTarget(source, otherBeginning, field),
    ...validateInitiator(source, otherBeginning, field),
  ];
}

/** iSCSI in a PersistentVolume of this name (validateISCSIPersistentVolumeSource). */
export function validateStoredIscsi(source: JsonObject, field: Path, volumeName: string): FieldError[] {
  const hasUnnamedSecret = objectAt(source, 'secretRef') !== undefined && stringAt(source, 'secretRef', 'name') === '';
  return [
    ...needsPortal(source, field),
    ...(isInterfaceTooLong(source, volumeName)
      ? [interfaceTooLong(field.child('targetportal'), stringAt(source, 'targetPortal'))]
      : []),
    ...validateTarget(source, wrong, field),
    ...(hasUnnamedSecret ? [required(field.child('secretRef', 'name'), '')] : []),
    ...validateInitiator(source, wrong, field),
  ];
}

/** Whether the name is too long of the interface that nodes make for a named initiator. */
export function isInterfaceTooLong(source: JsonObject | undefined, volumeName: string): boolean {
  if (source?.['initiatorName'] === undefined) return false;
  return Buffer.byteLength(`${volumeName}:${stringAt(source, 'targetPortal')}`) > maxInterfaceBytes;
}

export function interfaceTooLong(field: Path, shown: string): FieldError {
  return invalid(
    field,
    shown,
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
  );
}

function needsPortal(source: JsonObject, field: Path): FieldError[] {
  return stringAt(source, 'targetPortal') === '' ? [required(field.child('targetPortal'), '')] : [];
}

function validateTarget(source: JsonObject, otherBeginning: string, field: Path): FieldError[] {
  const [iqn, lun] = [stringAt(source, 'iqn'), numberAt(source, 'lun') ?? 0];
  const authenticates = ['chapAuthDiscovery', 'chapAuthSession'].some((key) => booleanAt(source, key) === true);
  return [
    ...(iqn === '' ? [required(field.child('iqn'), '')] : validateName(iqn, otherBeginning, field.child('iqn'))),
    ...messages(isInRange(lun, 0, 255), field.child('lun'), lun),
    ...(authenticates && !objectAt(source, 'secretRef') ? [required(field.child('secretRef'), '')] : []),
  ];
}

function validateInitiator(source: JsonObject, otherBeginning: string, field: Path): FieldError[] {
  const { initiatorName } = source;
  return typeof initiatorName === 'string'
    ? validateName(initiatorName, otherBeginning, field.child('initiatorname'))
    : [];
}

function validateName(name: string, otherBeginning: string, field: Path): FieldError[] {
  const format = formats.get(name.slice(0, 3));
  if (format === undefined) return [invalid(field, name, otherBeginning)];
  return format.test(name) ? [] : [invalid(field, name, wrong)];
}
