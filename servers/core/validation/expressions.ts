import type { Gates } from '#servers/core/gates/gates.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { baseEnvironments, type EnvironmentPair } from '#shared/cel/environment/base-environment.ts';
import { ConditionCompiler } from '#shared/cel/uses/admission.ts';
import { DeviceSelectorCompiler } from '#shared/cel/uses/devices.ts';

/** The compilers of expressions in built-in objects; each is created at its first expression. */
export class ExpressionCompilers {
  readonly #compatibility: Release;
  readonly #gates: Gates;
  #base: EnvironmentPair | undefined;
  #conditions: ConditionCompiler | undefined;
  #selectors: DeviceSelectorCompiler | undefined;

  /** @param compatibility release that new expressions have to work with (`--min-compatibility-version`) */
  constructor(compatibility: Release, gates: Gates) {
    this.#compatibility = compatibility;
    this.#gates = gates;
  }

  /** Compiles the expressions of webhooks and admission policies. */
  conditions(): ConditionCompiler {
    return (this.#conditions ??= new ConditionCompiler(this.#environments()));
  }

  /** Compiles the selectors of devices. */
  selectors(): DeviceSelectorCompiler {
    return (this.#selectors ??= new DeviceSelectorCompiler(this.#environments(), this.#gates));
  }

  /** Size in bytes of the compiled expressions that are kept. */
  get keptBytes(): number {
    return (this.#conditions?.keptBytes ?? 0) + (this.#selectors?.keptBytes ?? 0);
  }

  #environments(): EnvironmentPair {
    return (this.#base ??= baseEnvironments(
      Number(this.#compatibility.split('.')[1]),
      (gate) => gate !== 'AuthorizeWithSelectors' || this.#gates.AuthorizeWithSelectors,
    ));
  }
}
