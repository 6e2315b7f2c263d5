import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { TypeProvider } from '#shared/cel/types/type-provider.ts';
import { dynType, objectType, stringType, unspecifiedType, type CelType } from '#shared/cel/values/cel-type.ts';
import { equalsInSteps } from '#shared/cel/values/equality.ts';
import { CelError, CelStruct, type Value } from '#shared/cel/values/value.ts';

const patchTypeName = 'JSONPatch';
const objectTypeName = 'Object';
const textFields: ReadonlySet<string> = new Set(['op', 'path', 'from']);

/**
 * The value of `Object{…}`, `Object.spec{…}` or `JSONPatch{…}`. Fields may have any names, except those of `JSONPatch`.
 */
export class ConstructedObject extends CelStruct {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: CelType, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  get(field: string): Value | undefined {
    return this.fields.get(field) ?? (this.type.name === patchTypeName && textFields.has(field) ? '' : undefined);
  }

  has(field: string): boolean {
    const value = this.fields.get(field);
    return value !== undefined && !(value === '' && this.type.name === patchTypeName && textFields.has(field));
  }

  override *equalsInSteps(other: unknown): Steps<boolean> {
    if (
      !(other instanceof ConstructedObject) ||
      other.type.name !== this.type.name ||
      other.fields.size !== this.fields.size
    )
      return false;
    for (const [name, value] of this.fields) {
      const others = other.fields.get(name);
      if (others === undefined || (yield* equalsInSteps(value, others)) !== true) return false;
    }
    return true;
  }
}

/** The types that expressions of mutations can make (k8s.io/apiserver/pkg/cel/mutation). */
export class PatchTypes implements TypeProvider {
  findType(name: string): CelType | undefined {
    return name === patchTypeName || name === objectTypeName || name.startsWith(`${objectTypeName}.`)
      ? objectType(name)
      : undefined;
  }

  findField(typeName: string, field: string): CelType | undefined {
    if (this.findType(typeName) === undefined) return undefined;
    if (typeName !== patchTypeName || field === 'value') return dynType;
    return textFields.has(field) ? stringType : unspecifiedType;
  }

  newValue(typeName: string, fields: ReadonlyMap<string, Value>): Value {
    if (typeName === patchTypeName) {
      for (const [name, value] of fields) {
        if (textFields.has(name) ? typeof value !== 'string' : name !== 'value')
          return new CelError(`unexpected JSONPatchType field: ${name}`);
      }
    }
    return new ConstructedObject(objectType(typeName), fields);
  }
}
