import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { validateVolumeSpec } from '#servers/core/apis/core/volumes/validation/volume-spec-validation.ts';
import { defaultVolumeDrivers } from '#servers/core/apis/core/volumes/volume-driver-defaults.ts';
import { roundAmounts } from '#servers/core/defaults/round-amounts.ts';
import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import {
  forbidden,
  invalid,
  path,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { volumeAttachmentRows } from './rows.ts';

const maxMetadataBytes = 256 * 1024;
const maxErrorMessageBytes = 1024;
const specField = path('spec');
const statusField = path('status');

/** VolumeAttachments (pkg/apis/storage/validation). */
const volumeAttachmentStrategy: Strategy = {
  applyDefaults(attachment) {
    const inline = objectAt(attachment, 'spec', 'source', 'inlineVolumeSpec');
    if (!inline) return;
    defaultVolumeDrivers(inline);
    roundAmounts(objectAt(inline, 'capacity'));
  },
  validate: validateAttachment,
  validateUpdate: (attachment, old) => [...validateAttachment(attachment), ...validateSpecKept(attachment, old)],
  validateStatusUpdate: (attachment, old) => [...validateAttachment(attachment), ...validateSpecKept(attachment, old)],
};

function validateAttachment(attachment: KubeObject): FieldError[] {
  const spec = objectAt(attachment, 'spec') ?? {};
  const [node, volume] = [stringAt(spec, 'nodeName'), objectAt(spec, 'source')?.['persistentVolumeName']];
  return [
    ...validateDriverName(stringAt(spec, 'attacher'), specField.child('attacher')),
    ...validateSource(objectAt(spec, 'source') ?? {}, specField.child('source')),
    ...messages(nameIsDNSSubdomain(node, false), specField.child('nodeName'), node),
    ...validateStatus(objectAt(attachment, 'status')),
    ...(typeof volume === 'string'
      ? messages(nameIsDNSSubdomain(volume, false), specField.child('source', 'persistentVolumeName'), volume)
      : []),
  ];
}

function validateSource(source: JsonObject, field: Path): FieldError[] {
  const [inline, volume] = [objectAt(source, 'inlineVolumeSpec'), source['persistentVolumeName']];
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (typeof volume !== 'string')
    return inline ? validateVolumeSpec(inline, field.child('inlineVolumeSpec'), undefined) : [required(field, detail)];
  if (inline) return [forbidden(field, detail)];
  return volume === ''
    ? [required(field.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')]
    : [];
}

function validateStatus(status: JsonObject | undefined): FieldError[] {
  const bytes = [...stringMapAt(status, 'attachmentMetadata')].reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return [
    ...(bytes > maxMetadataBytes ? [tooLong(statusField.child('attachmentMetadata'), '', maxMetadataBytes)] : []),
    ...['attachError', 'detachError'].flatMap((key) => validateError(objectAt(status, key), statusField.child(key))),
  ];
}

function validateError(error: JsonObject | undefined, field: Path): FieldError[] {
  const code = numberAt(error, 'errorCode');
  return [
    ...(Buffer.byteLength(stringAt(error, 'message')) > maxErrorMessageBytes
      ? [tooLong(field.child('message'), '', maxMetadataBytes)]
      : []),
    ...(code !== undefined && code < 0
      ? [invalid(field.child('errorCode'), code, 'must be between 0 and 2147483647, inclusive')]
      : []),
  ];
}

function validateSpecKept(attachment: KubeObject, old: KubeObject): FieldError[] {
  return validateUnchanged(
    'io.k8s.api.storage.v1.VolumeAttachmentSpec',
    objectAt(attachment, 'spec') ?? {},
    objectAt(old, 'spec') ?? {},
    specField,
  );
}

export const volumeAttachmentResource = defineBuiltIn({
  group: 'storage.k8s.io',
  resource: 'volumeattachments',
  rows: volumeAttachmentRows,
  strategy: volumeAttachmentStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
    metadataOnStatusUpdate: 'none',
    resetFields: statusLeavesMetadata,
  },
  gatedFields: [
    { gates: ['MutableCSINodeAllocatableCount'], fields: ['status.attachError.errorCode'] },
    { gates: ['MutableCSINodeAllocatableCount'], fields: ['status.detachError.errorCode'] },
  ],
});
