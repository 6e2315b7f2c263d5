import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { textOfNamedType, textOfPlainType } from '#shared/apimachinery/errors/field-error-type.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { isQualifiedName, nameIsDNSLabel } from '#shared/apimachinery/validation/names.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { ParentView } from '#shared/registry/rest.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { namespaceRows } from './namespace-rows.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const finalizer = 'kubernetes';

/** Namespaces (pkg/registry/core/namespace): removed by their controller once the finalizers of the spec are gone. */
const namespaceStrategy: Strategy = {
  returnsDeletedObject: true,
  validateName: nameIsDNSLabel,
  applyDefaults(namespace) {
    if (namespace.metadata.name) (namespace.metadata.labels ??= {})[nameLabel] = namespace.metadata.name;
    setDefaultText(ensureObject(namespace, 'status'), 'phase', 'Active');
  },
  prepareForCreate(namespace) {
    namespace['status'] = { phase: 'Active' };
    const spec = ensureObject(namespace, 'spec');
    const finalizers = stringsAt(spec, 'finalizers');
    if (!finalizers.includes(finalizer)) spec['finalizers'] = [...finalizers, finalizer];
  },
  canonicalize(namespace) {
    (namespace.metadata.labels ??= {})[nameLabel] = namespace.metadata.name ?? '';
  },
  validate: (namespace) => validateFinalizers(namespace, false),
  prepareForUpdate(namespace, old) {
    const finalizers = objectAt(old, 'spec')?.['finalizers'];
    const spec = ensureObject(namespace, 'spec');
    if (finalizers === undefined) delete spec['finalizers'];
    else spec['finalizers'] = finalizers;
  },
  validateStatusUpdate(namespace) {
    const phase = stringAt(namespace, 'status', 'phase');
    const wanted = namespace.metadata.deletionTimestamp ? 'Terminating' : 'Active';
    const state = wanted === 'Active' ? 'empty' : 'not empty';
    return phase === wanted
      ? []
      : [
          invalid(
            path('status', 'Phase'),
            textOfNamedType(phase),
            `may only be '${wanted}' if \`deletionTimestamp\` is ${state}`,
          ),
        ];
  },
  deleteInPlace(namespace, context) {
    // The first delete request sets deletionTimestamp, even if the namespace has no finalizers.
    if (namespace.metadata.deletionTimestamp) return stringsAt(namespace, 'spec', 'finalizers').length > 0;
    namespace.metadata.deletionTimestamp = timeFromMs(context.nowMs);
    ensureObject(namespace, 'status')['phase'] = 'Terminating';
    return true;
  },
  mayDeleteDuringUpdate: (namespace) => stringsAt(namespace, 'spec', 'finalizers').length === 0,
  selectableFields: (namespace) => ({ 'status.phase': stringAt(namespace, 'status', 'phase') }),
};

/** `namespaces/finalize` writes the finalizers of the spec and nothing of the status. */
export const namespaceFinalizeView: ParentView = {
  read: (namespace) => namespace,
  write(parent, body) {
    const next = body;
    if (parent['status'] !== undefined) next['status'] = parent['status'];
    return next;
  },
  validate: (namespace) => validateFinalizers(namespace, true),
};

function validateFinalizers(namespace: KubeObject, indexed: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const field = path('spec', 'finalizers');
  for (const [index, name] of stringsAt(namespace, 'spec', 'finalizers').entries()) {
    const at = indexed ? field.index(index) : field;
    for (const message of isQualifiedName(name)) errors.push(invalid(at, textOfPlainType(name), message));
    if (!name.includes('/') && ![finalizer, 'orphan', 'foregroundDeletion'].includes(name)) {
      errors.push(
        invalid(at, textOfPlainType(name), 'name is neither a standard finalizer name nor is it fully qualified'),
      );
    }
  }
  return errors;
}

export const namespaceResource = defineBuiltIn({
  group: '',
  resource: 'namespaces',
  rows: namespaceRows,
  strategy: namespaceStrategy,
  writes: {
    metadataOnUpdate: 'both',
    resetFields: { '': [['status']], status: [['spec']], finalize: [['status']] },
  },
  subresources: () => ({ finalize: { view: namespaceFinalizeView } }),
});
