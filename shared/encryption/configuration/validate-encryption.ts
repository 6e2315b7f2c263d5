import { aggregateText, invalid, path, required, VerbatimValue } from '#shared/apimachinery/errors/field-error.ts';
import type { FieldError, Path } from '#shared/apimachinery/errors/field-error.ts';
import { decodedKey } from './decoded-key.ts';
import type { EncryptionConfiguration, EncryptionKey, ProviderEntry } from './encryption-configuration.ts';
import { printedProvider } from './printed-provider.ts';
import { validateKms } from './validate-kms.ts';
import { validateResources } from './validate-resources.ts';

const aesKeySizes = [16, 24, 32];
const secretboxKeySizes = [32];
const noProvider = 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity';
const manyProviders = 'more than one provider specified in a single element, should split into different list elements';

/**
 * The errors of a configuration in one text, empty if there are none
 * (apiserver/pkg/apis/apiserver/validation/validation_encryption.go).
 * @param isReloaded whether the file is followed: then all names of KMS providers must differ
 */
export function validateEncryption({ resources }: EncryptionConfiguration, isReloaded: boolean): string {
  const root = path('resources');
  if (resources.length === 0) return aggregateText([required(root, 'at least one resources is required')]);
  const kmsNames = new Set<string>();
  const errors = resources.flatMap((entry, at) => {
    const [names, providers] = [root.index(at).child('resources'), root.index(at).child('providers')];
    return [
      ...(entry.resources.length === 0 ? [required(names, `at least one ${names.toString()} is required`)] : []),
      ...validateResources(entry.resources, names),
      ...(entry.providers.length === 0
        ? [required(providers, `at least one ${providers.toString()} is required`)]
        : []),
      ...entry.providers.flatMap((provider, index) =>
        validateProvider(provider, providers.index(index), kmsNames, isReloaded),
      ),
    ];
  });
  return aggregateText(errors);
}

function validateProvider(
  provider: ProviderEntry,
  field: Path,
  kmsNames: Set<string>,
  isReloaded: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const count = Object.keys(provider).length;
  if (count !== 1)
    errors.push(invalid(field, new VerbatimValue(printedProvider(provider)), count === 0 ? noProvider : manyProviders));
  if (provider.kms !== undefined) {
    errors.push(...validateKms(provider.kms, field.child('kms'), kmsNames, isReloaded));
    kmsNames.add(provider.kms.name);
  } else if (provider.aesgcm !== undefined) {
    errors.push(...validateKeys(provider.aesgcm, field.child('aesgcm', 'keys'), aesKeySizes));
  } else if (provider.aescbc !== undefined) {
    errors.push(...validateKeys(provider.aescbc, field.child('aescbc', 'keys'), aesKeySizes));
  } else if (provider.secretbox !== undefined) {
    errors.push(...validateKeys(provider.secretbox, field.child('secretbox', 'keys'), secretboxKeySizes));
  }
  return errors;
}

function validateKeys(keys: readonly EncryptionKey[], field: Path, sizes: readonly number[]): FieldError[] {
  if (keys.length === 0) return [required(field, 'at least one keys is required')];
  return keys.flatMap((key, at) => validateKey(key, field.index(at), sizes));
}

function validateKey({ name, secret }: EncryptionKey, field: Path, sizes: readonly number[]): FieldError[] {
  const errors = name === '' ? [required(field.child('name'), 'name is a mandatory field for a key')] : [];
  const at = field.child('secret');
  if (secret === '') return [...errors, required(at, 'secret is a mandatory field for a key')];
  const bytes = decodedKey(secret);
  if (bytes === undefined) return [...errors, invalid(at, 'REDACTED', 'secrets must be base64 encoded')];
  if (sizes.includes(bytes.length)) return errors;
  const expected = `secret is not of the expected length, got ${bytes.length}, expected one of [${sizes.join(' ')}]`;
  return [...errors, invalid(at, 'REDACTED', expected)];
}
